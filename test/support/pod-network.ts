import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { Duplex } from 'node:stream';
import type { Dial } from '../../runtime/index.ts';

/** Servers on 127.0.0.1 that appear at other addresses in this network. */
export class PodNetwork {
  readonly #ports = new Map<string, number>();
  readonly #servers: Server[] = [];

  /** Serves an address: `192.0.2.1:80` or `2001:db8::1:80`. */
  async serve(address: string, handler: RequestListener, tls?: ServerOptions): Promise<Server> {
    const server = tls === undefined ? createServer(handler) : createSecureServer(tls, handler);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push(server);
    this.forward(address, (server.address() as AddressInfo).port);
    return server;
  }

  /** Forwards an address to a port of 127.0.0.1. */
  forward(address: string, port: number): void {
    this.#ports.set(address, port);
  }

  readonly dial: Dial = ({ host, port }) => {
    const address = `${host}:${port}`;
    const local = this.#ports.get(address);
    if (local !== undefined) return connect(local, '127.0.0.1');
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const socket = new Duplex({ read: () => undefined });
    return socket.destroy(refused);
  };

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
