import { createGunzip } from 'node:zlib';
import type { PendingRequest } from '../../../client/transport/pending-request.ts';
import type { Headers } from '../../../client/transport/transport.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { joinHostPort } from '../../../machinery/go/join-host-port.ts';
import type { UserInfo } from '../../../machinery/user-info.ts';
import { setAuthProxyHeaders } from './auth-proxy-headers.ts';
import type { ProxyHandler } from './proxy-handler.ts';

export interface DownloadRequest {
  /** Default: GET. */
  readonly method?: 'GET' | 'DELETE';
  readonly path: string;
  /** Default: anything. */
  readonly accept?: string;
  /** The user of the request. */
  readonly user: Pick<UserInfo, 'name' | 'groups'>;
  /** The ETag of the previous download. */
  readonly etag?: string | undefined;
  /** Milliseconds until the whole response must have arrived. */
  readonly timeout: number;
  /** A longer response fails. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Ends the download. */
  readonly signal: AbortSignal;
}

export interface Downloaded {
  readonly status: number;
  readonly contentType: string;
  /** "" for none. */
  readonly etag: string;
  readonly body: Buffer;
}

/** Downloads a document from the server of an APIService. @throws Error if the response is incomplete */
export async function download(handler: ProxyHandler, request: DownloadRequest): Promise<Downloaded> {
  const { transport } = handler;
  if (transport.error !== undefined) throw new Error(transport.error);
  const { method = 'GET', path, accept, user, etag } = request;
  const address = handler.address();
  const headers: Headers = new Map();
  headers.set('host', [joinHostPort(address.host, address.port)]);
  // as the proxy does for clients without these headers
  headers.set('user-agent', []).set('accept-encoding', ['gzip']);
  if (accept !== undefined) headers.set('accept', [accept]);
  if (etag) headers.set('if-none-match', [etag]);
  setAuthProxyHeaders(headers, { ...user, uid: '', extra: {} });
  return receive(transport.request(address, { method, path, headers }), request);
}

function receive(outgoing: PendingRequest, { path, timeout, maxBytes, clock, signal }: DownloadRequest): Promise<Downloaded> {
  const abort = (): void => void outgoing.destroy(new Error(`the download of ${path} was ended`));
  const stopTimer = clock.after(timeout, () => outgoing.destroy(new Error(`the download of ${path} timed out`)));
  signal.addEventListener('abort', abort);
  return new Promise<Downloaded>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const isCompressed = incoming.headers['content-encoding'] === 'gzip';
      const body = isCompressed ? incoming.pipe(createGunzip()) : incoming;
      incoming.on('error', reject);
      body.on('error', reject);
      body.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= maxBytes) {
          chunks.push(chunk);
          return;
        }
        reject(new Error(`${path} is larger than ${maxBytes} bytes`));
        incoming.destroy();
        body.destroy();
      });
      incoming.on('close', () => {
        if (!incoming.complete) reject(new Error(`${path} broke off`));
      });
      body.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          contentType: incoming.headers['content-type'] ?? '',
          etag: incoming.headers.etag ?? '',
          body: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.end();
  }).finally(() => {
    stopTimer();
    signal.removeEventListener('abort', abort);
  });
}
