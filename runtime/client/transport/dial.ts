import { connect, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { dialError, NetworkError, rememberEnds } from './network-error.ts';
import { mayBeResolved } from './resolvable.ts';

/** The address of a server. */
export interface Address {
  /** An IP address or a DNS name. */
  readonly host: string;
  readonly port: number;
  /** Resolves the name. Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Opens the connection. Default: as the client does. */
  readonly dial?: Dial;
}

/** Opens a connection. Its errors are those of node:net. */
export type Dial = (address: Pick<Address, 'host' | 'port'>) => Duplex;

/** The timeout of connecting, and the interval of keep-alive probes, in milliseconds. (net.Dialer of client-go) */
export const defaultDialTimeout = 30_000;
const keepAlivePeriod = 30_000;

const dialTcp = ({ host, port, lookup }: Address): Duplex =>
  connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAlivePeriod,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 300,
    ...(mayBeResolved(host) ? lookup && { lookup } : { lookup: refuseLookup }),
  });

/** Fails like the system's resolver. */
const refuseLookup: LookupFunction = (hostname, _options, done) => {
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname });
  process.nextTick(done, error, []);
};

/** Connects to an address. @param timeout milliseconds. @throws NetworkError */
export function dialAddress(address: Address, dial: Dial = dialTcp, timeout = defaultDialTimeout): Promise<Duplex> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    let socket: Duplex;
    try {
      socket = dial(address);
    } catch (error) {
      reject(dialError(error as Error, host, port));
      return;
    }
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new NetworkError(`dial tcp ${joinHostPort(host, port)}: i/o timeout`, 'ETIMEDOUT'));
    }, timeout);
    const settle = (): void => {
      clearTimeout(timer);
      socket.off('close', closed);
    };
    const closed = (): void => {
      settle();
      reject(dialError(socket.errored ?? new Error('EOF'), host, port));
    };
    const opened = (): void => {
      settle();
      rememberEnds(socket);
      resolve(socket);
    };
    // no other listener exists while the connection waits for a request
    socket.on('error', () => undefined);
    socket.once('close', closed);
    if (socket.destroyed) closed();
    else if (isConnecting(socket)) socket.once('connect', opened);
    else opened();
  });
}

const isConnecting = (socket: Duplex): boolean => (socket as { readonly connecting?: boolean }).connecting === true;
