import type { SpdyStream } from '../spdy/stream.ts';
import type { PortConnection } from './port-connection.ts';

/** The time in which both streams of a connection must be opened, in milliseconds. (DefaultStreamCreationTimeout) */
const creationTimeout = 30_000;

/** The data stream and the error stream of a connection. */
interface Pair {
  data?: SpdyStream;
  error?: SpdyStream;
  readonly timer: NodeJS.Timeout;
}

/** Pairs the data and error streams that a client opens. (portforward httpStreamHandler) */
export class StreamPairs {
  readonly #pairs = new Map<string, Pair>();
  readonly #onConnection: (connection: PortConnection) => void;

  constructor(onConnection: (connection: PortConnection) => void) {
    this.#onConnection = onConnection;
  }

  add(stream: SpdyStream): void {
    const { streamtype: type, port = '' } = stream.headers;
    const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
    if (number < 1 || number > 65_535 || (type !== 'data' && type !== 'error')) {
      stream.reset();
      return;
    }
    stream.reply();
    const id = requestIdOf(stream);
    const pair = this.#pairs.get(id) ?? this.#newPair(id);
    if (pair[type] !== undefined) {
      pair.error?.write(`error processing stream for request ${id}: ${type} stream already assigned`);
      return;
    }
    pair[type] = stream;
    const { data, error } = pair;
    if (data === undefined || error === undefined) return;
    this.#remove(id, pair);
    this.#onConnection({
      port: number,
      data,
      error,
      reset: () => {
        data.reset();
        error.reset();
      },
    });
  }

  close(): void {
    for (const [id, pair] of this.#pairs) this.#remove(id, pair);
  }

  #newPair(id: string): Pair {
    const timer = setTimeout(() => {
      pair.error?.end(`(request=${id}) timed out waiting for streams`);
      this.#remove(id, pair);
    }, creationTimeout);
    const pair: Pair = { timer };
    this.#pairs.set(id, pair);
    return pair;
  }

  #remove(id: string, { timer }: Pair): void {
    clearTimeout(timer);
    this.#pairs.delete(id);
  }
}

/** Older clients send no request ID: they open the two streams one after the other. */
function requestIdOf({ id, headers }: SpdyStream): string {
  const { requestid = '', streamtype } = headers;
  if (requestid !== '') return requestid;
  return String(streamtype === 'error' ? id : id - 2);
}
