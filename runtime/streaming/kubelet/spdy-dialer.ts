import type { IncomingMessage } from 'node:http';
import { backendUrl, backendUrlProblem } from '../../client/proxy/backend-url.ts';
import { beginRequest } from '../../client/proxy/begin-request.ts';
import { addressOf, type Backend } from '../../client/proxy/upgrade-aware.ts';
import { roundTripError } from '../../client/transport/network-error.ts';
import type { Headers } from '../../client/transport/transport.ts';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { quote } from '../../machinery/go/quote.ts';
import { escapeHost } from '../../machinery/go/url-host.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { SpdyConnection } from '../spdy/connection.ts';
import { responseText } from './response-text.ts';

export const protocolHeader = 'x-stream-protocol-version';

export interface DialedConnection {
  readonly connection: SpdyConnection;
  /** The protocol that the server chose; "" for none. */
  readonly protocol: string;
}

/** Reports whether a response upgrades the connection to SPDY. */
export function isSpdyUpgrade({ statusCode, headers: { connection = '', upgrade = '' } }: IncomingMessage): boolean {
  const isUpgrade = connection.toLowerCase().includes('upgrade');
  return statusCode === 101 && isUpgrade && upgrade.toLowerCase().includes('spdy/3.1');
}

/**
 * Opens a connection for streams. (client-go spdy.Negotiate)
 *
 * @param protocols the supported protocols of streams, the most preferred first
 * @throws Error for the client
 */
export async function dialSpdy(backend: Backend, protocols: readonly string[], signal: AbortSignal): Promise<DialedConnection> {
  const { transport, path, query = '' } = backend;
  const address = addressOf(backend);
  const place = { ...backend, ...address };
  const problem = backendUrlProblem(place);
  if (problem !== undefined) throw new Error(`error creating request: ${problem}`);
  const host = escapeHost(joinHostPort(address.host, address.port));
  const headers: Headers = new Map([
    ['host', [host]],
    ['connection', ['Upgrade']],
    ['upgrade', ['SPDY/3.1']],
    [protocolHeader, [...protocols]],
    ['content-length', ['0']],
  ]);
  const failure = (error: Error): Error =>
    new Error(`error sending request: Post ${quote(backendUrl(place))}: ${roundTripError(error).message}`);
  return new Promise((resolve, reject) => {
    const request = { method: 'POST', path: path + query, headers, ownConnection: true } as const;
    const outgoing = beginRequest(() => transport.request(address, request), failure);
    signal.addEventListener('abort', () => outgoing.destroy(new DOMException('', 'AbortError')), { once: true });
    outgoing.on('error', (error) => reject(failure(error)));
    outgoing.on('response', (incoming) => void refusal(incoming).then(reject, reject));
    outgoing.on('upgrade', (answer, socket, head) => {
      if (!isSpdyUpgrade(answer)) {
        socket.destroy();
        reject(new Error('unable to upgrade connection: '));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      const connection = new SpdyConnection({ transport: socket, role: 'client' });
      resolve({ connection, protocol: String(answer.headers[protocolHeader] ?? '') });
    });
    outgoing.end();
  });
}

/** Returns an error for a response that refuses the upgrade. */
async function refusal(incoming: IncomingMessage): Promise<Error> {
  const text = await responseText(incoming);
  return new Error(messageOfStatus(text) ?? `unable to upgrade connection: ${text.trim()}`);
}

function messageOfStatus(text: string): string | undefined {
  try {
    const status: unknown = JSON.parse(text);
    return isJsonObject(status) && status.kind === 'Status' ? String(status.message ?? '') : undefined;
  } catch {
    return undefined;
  }
}
