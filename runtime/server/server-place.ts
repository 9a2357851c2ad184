import { hostname } from 'node:os';
import type { ServerOptions } from '../options/server-options.ts';
import { publicAddress } from './public-address.ts';

/** The host and addresses of a server as its objects state them. */
export interface ServerPlace {
  readonly hostname: string;
  /** Returns the server's address for others. */
  address(version: 4 | 6): string | undefined;
  /** @param port of the open listener */
  port(port: number): number;
}

/**
 * Returns this machine's place. With a seed, it is a documentation address, so that objects are the same on all
 * machines. (RFC 5737, RFC 3849)
 */
export function serverPlace(options: ServerOptions): ServerPlace {
  const { seed, advertiseAddress } = options;
  if (seed === undefined) {
    return { hostname: hostname(), address: (version) => publicAddress(options, version), port: (port) => port };
  }
  return {
    hostname: 'kubeloom',
    address: (version) => advertiseAddress ?? (version === 4 ? '192.0.2.1' : '2001:db8::1'),
    port: () => options.port || 6443,
  };
}
