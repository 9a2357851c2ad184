import type { Duplex } from 'node:stream';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import type { GoURL } from '../../machinery/go/url.ts';
import { NetworkError } from './network-error.ts';
import { connectTimeout, proxyAddress, proxyCredentials } from './proxy-url.ts';

/** Go's words for a proxy's replies, by the library's names. (net/http socksReply) */
const replies: Readonly<Record<string, string>> = {
  Failure: 'general SOCKS server failure',
  NotAllowed: 'connection not allowed by ruleset',
  NetworkUnreachable: 'network unreachable',
  HostUnreachable: 'host unreachable',
  ConnectionRefused: 'connection refused',
  TTLExpired: 'TTL expired',
  CommandNotSupported: 'command not supported',
  AddressNotSupported: 'address type not supported',
};

/** Reports whether a proxy speaks SOCKS5, which carries any connection. The proxy resolves names. */
export const isSocks = ({ scheme }: GoURL): boolean => scheme === 'socks5' || scheme === 'socks5h';

/** Opens a connection to a host and a port through a SOCKS5 proxy. @throws NetworkError in Go's words */
export async function socksConnect(socket: Duplex, proxy: GoURL, host: string, port: number): Promise<Duplex> {
  // few programs need the library
  const { SocksClient } = await import('socks');
  const { host: proxyHost, port: proxyPort } = proxyAddress(proxy);
  const { remoteAddress = proxyHost } = socket as Duplex & { readonly remoteAddress?: string };
  const { name, password } = proxyCredentials(proxy) ?? {};
  try {
    await SocksClient.createConnection({
      proxy: {
        host: proxyHost,
        port: proxyPort,
        type: 5 as const,
        ...(name !== undefined && { userId: name, password: password ?? '' }),
      },
      command: 'connect' as const,
      destination: { host, port },
      existing_socket: socket,
      timeout: connectTimeout,
    });
    return socket;
  } catch (error) {
    socket.destroy();
    const why = problemOf(messageOf(error));
    const between = `${joinHostPort(remoteAddress, proxyPort)}->${joinHostPort(host, port)}`;
    throw new NetworkError(`socks connect tcp ${between}: ${why}`);
  }
}

/** Returns Go's words for an error of the library. */
function problemOf(message: string): string {
  const [, reply] = /^Socks5 proxy rejected connection - (\w+)$/.exec(message) ?? [];
  if (reply !== undefined) return `unknown error ${replies[reply] ?? `unknown code: ${reply}`}`;
  if (message.includes('invalid socks version')) return 'unexpected protocol version';
  if (message.includes('accepted authentication type')) return 'no acceptable authentication methods';
  if (message.includes('Authentication failed')) return 'username/password authentication failed';
  if (message === 'Socket closed') return 'EOF';
  return message === 'Proxy connection timed out' ? 'i/o timeout' : message;
}
