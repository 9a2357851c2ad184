import { Duplex } from 'node:stream';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Dial } from '../../client/transport/dial.ts';
import { dialError } from '../../client/transport/network-error.ts';
import type { SimulationOptions } from '../../options/simulated-cluster.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { connectToPort } from './forwarded-port.ts';

/**
 * Returns a function that connects to simulated pods by address, for proxies. Other addresses are unreachable: on the
 * real network, they belong to other hosts.
 */
export function simulatedDial(stores: ResourceStores, { forwardToLocalhost = false }: SimulationOptions): Dial {
  return ({ host, port }) => {
    const [near, far] = connectedPair();
    const fail = (code: string): void => {
      near.destroy(dialError(Object.assign(new Error(code), { code }), host, port));
    };
    void runningPodAt(stores, host)
      .then(async (pod) => {
        if (pod === undefined) return fail('EHOSTUNREACH');
        near.emit('connect');
        await connectToPort(pod, port, far, forwardToLocalhost);
      })
      .catch(() => fail('ECONNREFUSED'));
    return near;
  };
}

/** Searches selectable fields, and only decodes the pod that it returns. */
async function runningPodAt(stores: ResourceStores, ip: string): Promise<Pod | undefined> {
  const { collection, definition } = await stores.byResource('', 'v1', 'pods');
  for (const stored of collection.latest().scan()) {
    if (stored.fields['status.podIP'] !== ip || stored.fields['status.phase'] !== 'Running') continue;
    return definition.conversion.fromStorage(stored.decode()) as Pod;
  }
  return undefined;
}

/** One end of a connection inside the process, with the methods that node:http calls on sockets. */
class SimulatedSocket extends Duplex {
  #peer: SimulatedSocket | undefined;
  #pending: (() => void) | undefined;

  connect(peer: SimulatedSocket): void {
    this.#peer = peer;
  }

  override _read(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#peer?.receive(chunk, done);
  }

  override _final(done: () => void): void {
    this.#peer?.receive(null, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.();
    if (this.#peer?.destroyed === false) this.#peer.destroy();
    done(error);
  }

  /** @param done called when the reader has room for more */
  receive(chunk: Buffer | null, done: () => void): void {
    if (this.destroyed || this.push(chunk) || chunk === null) done();
    else this.#pending = done;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

function connectedPair(): [SimulatedSocket, SimulatedSocket] {
  const [near, far] = [new SimulatedSocket(), new SimulatedSocket()];
  near.connect(far);
  far.connect(near);
  // the reader of the other end handles the error
  far.on('error', () => undefined);
  return [near, far];
}
