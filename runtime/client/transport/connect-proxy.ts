import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GoURL } from '../../machinery/go/url.ts';
import { NetworkError, roundTripError } from './network-error.ts';
import { connectTimeout, proxyCredentials } from './proxy-url.ts';

/** Returns the Proxy-Authorization header; undefined for a URL without a user. */
export function proxyAuthorization(proxy: GoURL): string | undefined {
  const user = proxyCredentials(proxy);
  return user && `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
}

/** Opens a tunnel through a proxy to `target`, a host and a port. @throws NetworkError with the proxy's words */
export function tunnel(socket: Duplex, proxy: GoURL, target: string): Promise<Duplex> {
  const authorization = proxyAuthorization(proxy);
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      path: target,
      createConnection: () => socket,
      setHost: false,
      headers: {
        host: target,
        'user-agent': 'Go-http-client/1.1',
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
