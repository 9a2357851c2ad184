import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Duplex } from 'node:stream';

export interface HttpExchange {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | undefined;
  /** The most bytes of the response's body. What comes after them is left out. */
  readonly limit: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly reason: string;
  readonly version: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/**
 * Sends one request over a connection, which ends with the response.
 *
 * @throws Error if there is no complete response
 */
export function exchange(connection: Duplex, { method = 'GET', path, headers = {}, body, limit }: HttpExchange): Promise<HttpAnswer> {
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = () => connection;
  return new Promise<HttpAnswer>((resolve, reject) => {
    const sent = request({ agent, method, path, headers: headers as Record<string, string | string[]>, setHost: false }, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const { statusCode = 0, statusMessage = '', httpVersion, rawHeaders } = incoming;
      const finish = (): void => {
        resolve({
          status: statusCode,
          reason: statusMessage,
          version: httpVersion,
          headers: incoming.headers,
          rawHeaders,
          body: Buffer.concat(chunks).subarray(0, limit),
        });
        connection.destroy();
      };
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= limit) finish();
      });
      incoming.once('end', finish);
      incoming.once('error', reject);
    });
    sent.once('error', reject);
    sent.once('close', () => reject(new Error('EOF')));
    sent.end(body);
  });
}
