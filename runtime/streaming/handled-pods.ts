import type { Pod } from '../../generated/v1.35/core/v1/types.ts';
import { badRequest, internalError } from '../machinery/errors/status.ts';
import { sendLog } from './logs.ts';
import type { NodeBackend, NodeRequest } from './node-backend.ts';
import type { ContainerIO, PodHandlers } from './pod-handlers.ts';
import { servePortForward } from './portforward/serve.ts';
import { serveRemoteCommand } from './remotecommand/serve.ts';
import { requestedLog } from './requested-log.ts';

/** The handler of each subresource. */
const handlerNames: Readonly<Record<string, keyof PodHandlers>> = {
  exec: 'exec',
  attach: 'attach',
  portforward: 'portForward',
  log: 'logs',
};

/** A backend whose pods are implemented by a program's handlers. */
export class HandledPods implements NodeBackend {
  readonly #handlers: PodHandlers;
  readonly #others: NodeBackend | undefined;

  /** @param others the backend for requests without a handler. Default: an error */
  constructor(handlers: PodHandlers, others?: NodeBackend) {
    this.#handlers = handlers;
    this.#others = others;
  }

  async connect(request: NodeRequest): Promise<void> {
    const { subresource } = request;
    const name = handlerNames[subresource];
    const isHandled = name !== undefined && this.#handlers[name] !== undefined;
    if (!isHandled && this.#others !== undefined) return this.#others.connect(request);
    switch (subresource) {
      case 'exec':
        return this.#exec(request);
      case 'attach':
        return this.#attach(request);
      case 'portforward':
        return this.#portForward(request);
      case 'log':
        return this.#log(request);
      default:
        throw noHandler(subresource);
    }
  }

  #exec({ ctx, object, container, ...request }: NodeRequest): Promise<void> {
    const handler = this.#handlers.exec;
    if (handler === undefined) throw noHandler('exec');
    const { options } = request;
    return serveRemoteCommand(ctx, {
      options,
      container,
      about: 'error executing command in container',
      run: async (io: ContainerIO) => (await handler(object as Pod, options.command ?? [], io)) ?? 0,
    });
  }

  #attach({ ctx, object, container, options }: NodeRequest): Promise<void> {
    const handler = this.#handlers.attach;
    if (handler === undefined) throw noHandler('attach');
    return serveRemoteCommand(ctx, {
      options,
      container,
      about: 'error attaching to container',
      run: async (io: ContainerIO) => (await handler(object as Pod, io)) ?? 0,
    });
  }

  #portForward({ ctx, object, options }: NodeRequest): Promise<void> {
    const handler = this.#handlers.portForward;
    if (handler === undefined) throw noHandler('portforward');
    const { name = '', uid = '' } = object.metadata;
    return servePortForward(ctx, {
      pod: { name, uid },
      ports: options.ports ?? [],
      forward: async (port, connection) => handler(object as Pod, port, connection),
    });
  }

  async #log({ ctx, object, container, options }: NodeRequest): Promise<void> {
    const handler = this.#handlers.logs;
    if (handler === undefined) throw noHandler('log');
    const log = requestedLog(ctx, container, options);
    const chunks = handler(object as Pod, log);
    await sendLog(ctx, withClientErrors(chunks), log.limitBytes);
  }
}

const noHandler = (name: string): Error => internalError(`error dialing backend: there is no handler of ${name}`);

/** Passes an error of a handler on to the client, like an error of a kubelet. */
async function* withClientErrors<T>(chunks: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}
