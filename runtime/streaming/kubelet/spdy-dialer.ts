import type { IncomingMessage } from 'node:http';
import { joinHostPort } from '../../machinery/go/join-host-port.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { addressOf, type Backend } from '../../proxy/upgrade-aware.ts';
import { roundTripError } from '../../transport/network-error.ts';
import type { Headers } from '../../transport/transport.ts';
import { SpdyConnection } from '../spdy/connection.ts';
import { responseText } from './response-text.ts';

export const protocolHeader = 'x-stream-protocol-version';

export interface DialedConnection {
  readonly connection: SpdyConnection;
  /** That the other side has chosen; "" for none. */
  readonly protocol: string;
}

/** Whether a server has agreed to go on with SPDY. */
export function isSpdyUpgrade({ statusCode, headers: { connection = '', upgrade = '' } }: IncomingMessage): boolean {
  const isUpgrade = connection.toLowerCase().includes('upgrade');
  return statusCode === 101 && isUpgrade && upgrade.toLowerCase().includes('spdy/3.1');
}

/**
 * Opens a connection for streams. (client-go spdy.Negotiate)
 *
 * @param protocols what can be done with streams, the best first
 * @throws Error for the client
 */
export function dialSpdy(
  backend: Backend,
  protocols: readonly string[],
  signal: AbortSignal,
): Promise<DialedConnection> {
  const { transport, path, query = '' } = backend;
  const address = addressOf(backend);
  const host = joinHostPort(address.host, address.port);
  const headers: Headers = new Map([
    ['host', [host]],
    ['connection', ['Upgrade']],
    ['upgrade', ['SPDY/3.1']],
    [protocolHeader, [...protocols]],
    ['content-length', ['0']],
  ]);
  return new Promise((resolve, reject) => {
    const outgoing = transport.request(address, { method: 'POST', path: path + query, headers, ownConnection: true });
    signal.addEventListener('abort', () => outgoing.destroy(new DOMException('', 'AbortError')), { once: true });
    outgoing.on('error', (error) => {
      const why = roundTripError(error, outgoing.socket).message;
      reject(new Error(`error sending request: Post "https://${host}${path}${query}": ${why}`));
    });
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

/** What a server has answered in place of an upgrade. */
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
