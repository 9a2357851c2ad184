import type { ApiContext, Next } from '../../../http/context.ts';
import type { FrameSink } from '../../../http/served-watch.ts';
import { isUpgradeRequest } from '../../../http/upgrade.ts';
import type { CutFault } from '../fault-plan.ts';
import { onWatch } from '../on-watch.ts';
import type { FaultAction, FaultedServer } from './action.ts';

/** Ends the body of a response early, and its connection. */
export class CutAction implements FaultAction {
  readonly isAboutBytes = true;
  readonly #afterBytes: number;

  readonly #server: FaultedServer;

  constructor({ afterBytes = 0 }: CutFault, server: FaultedServer) {
    this.#server = server;
    this.#afterBytes = afterBytes;
  }

  isAbout(ctx: ApiContext): boolean {
    return ctx.method !== 'HEAD' && (!isUpgradeRequest(ctx) || ctx.state.requestInfo.verb === 'watch');
  }

  handle(ctx: ApiContext, next: Next): unknown {
    const cut = (): void => this.#server.destroyConnection(ctx);
    if (!isUpgradeRequest(ctx)) cutBody(ctx, this.#afterBytes, cut);
    else onWatch(ctx, (watch) => watch.intercept((sink) => new CutMessages(sink, this.#afterBytes, cut)));
    return next();
  }
}

type Chunk = Uint8Array | string;

/** Passes a number of bytes of the body, then calls `cut`. */
function cutBody({ res }: ApiContext, afterBytes: number, cut: () => void): void {
  const write = res.write.bind(res) as (...args: unknown[]) => unknown;
  const end = res.end.bind(res) as (...args: unknown[]) => unknown;
  let left = afterBytes;
  let isCut = false;
  /** Reports whether a chunk passes unchanged. */
  const passes = (chunk: Chunk): boolean => {
    if (isCut) return false;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (bytes.length <= left) {
      left -= bytes.length;
      return true;
    }
    isCut = true;
    // sends the head even without bytes of the body
    write(bytes.subarray(0, left), cut);
    return false;
  };
  Object.assign(res, {
    write: (chunk: Chunk, ...rest: unknown[]) => (passes(chunk) ? write(chunk, ...rest) : true),
    end: (chunk: Chunk = '') => {
      if (passes(chunk)) end(chunk);
      return res;
    },
  });
}

/** Passes the WebSocket messages that are complete before the cut. */
class CutMessages implements FrameSink {
  readonly #sink: FrameSink;
  readonly #cut: () => void;
  #left: number;

  constructor(sink: FrameSink, afterBytes: number, cut: () => void) {
    this.#cut = cut;
    this.#left = afterBytes;
    this.#sink = sink;
  }

  write(...frame: Parameters<FrameSink['write']>): boolean {
    this.#left -= frame[0].length;
    if (this.#left >= 0) return this.#sink.write(...frame);
    this.#cut();
    return true;
  }

  end(): void {
    this.#sink.end();
  }

  get isWithholding(): boolean {
    return this.#sink.isWithholding;
  }
}
