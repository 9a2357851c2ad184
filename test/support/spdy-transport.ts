import { createRequire } from 'node:module';
import type { Duplex } from 'node:stream';

/** The used part of the npm package spdy-transport, an independent implementation of SPDY/3.1 with windows. */
interface SpdyTransport {
  readonly connection: {
    create(socket: Duplex, options: { protocol: 'spdy'; isServer: boolean }): OtherConnection;
  };
}

export interface OtherConnection {
  start(version: 3.1): void;
  request(
    options: { method: string; path: string; host: string; headers: Record<string, string> },
    onOpen: (error: Error | null, stream: OtherStream) => void,
  ): void;
  ping(onAnswer: () => void): void;
  on(event: 'stream', listener: (stream: OtherStream) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  end(): void;
}

export interface OtherStream extends Duplex {
  readonly headers: Record<string, string>;
  respond(status: number, headers: Record<string, string>): void;
  on(event: 'response', listener: (status: number, headers: Record<string, string>) => void): this;
  on(event: string, listener: (...args: never[]) => void): this;
}

export const spdyTransport = createRequire(import.meta.url)('spdy-transport') as SpdyTransport;
