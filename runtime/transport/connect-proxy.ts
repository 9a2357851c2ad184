import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GoURL } from '../machinery/go/url.ts';
import { splitURLHost } from '../machinery/go/url-host.ts';
import { NetworkError, roundTripError } from './network-error.ts';

const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };
/** Milliseconds that a proxy has to make a connection. (net/http: a minute) */
const connectTimeout = 60_000;

/** Where a proxy listens. @throws NetworkError for a scheme that is none of a proxy */
export function proxyAddress({ scheme, host }: GoURL): { readonly host: string; readonly port: number } {
  const defaultPort = defaultPorts[scheme];
  if (defaultPort === undefined) throw new NetworkError(`unsupported protocol scheme "${scheme}"`);
  const { name, port } = splitURLHost(host);
  return { host: name, port: Number(port || defaultPort) };
}

/** What a proxy is shown of the credentials in its URL; undefined for none. */
export function proxyAuthorization({ userinfo }: GoURL): string | undefined {
  if (userinfo === undefined) return undefined;
  const [, name, password = ''] = /^([^:]*)(?::(.*))?$/s.exec(userinfo) as RegExpExecArray;
  const text = `${decodeURIComponent(name)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

/** Asks a proxy for a connection to `target`, a host and a port. @throws NetworkError with the proxy's words */
export function tunnel(socket: Duplex, proxy: GoURL, target: string): Promise<Duplex> {
  const authorization = proxyAuthorization(proxy);
  return new Promise((resolve, reject) => {
    const asking = request({
      ...{ method: 'CONNECT', path: target, createConnection: () => socket, setHost: false },
      headers: {
        ...{ host: target, 'user-agent': 'Go-http-client/1.1' },
        ...(authorization !== undefined && { 'proxy-authorization': authorization }),
      },
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new NetworkError('context deadline exceeded', 'ETIMEDOUT')), connectTimeout);
    asking.on('error', (error) => fail(roundTripError(error, socket)));
    asking.on('connect', (answer, connected: Duplex, head: Buffer) => {
      const { statusCode, statusMessage } = answer;
      if (statusCode !== 200) {
        fail(new NetworkError(statusMessage || 'unknown status code'));
        return;
      }
      clearTimeout(timer);
      if (head.length > 0) connected.unshift(head);
      resolve(connected);
    });
    asking.end();
  });
}
