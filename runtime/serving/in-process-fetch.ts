import { Agent, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';

/** The server's URL for clients inside this process. It is not a network address. */
export const inProcessUrl = 'http://kubernetes.default.svc';

/** Requests like `fetch`, on a new connection that ends with the response. */
export function inProcessFetch(connect: () => Duplex, path: string, init: RequestInit = {}): Promise<Response> {
  const asked = new Request(new URL(path, inProcessUrl), init);
  const { method, headers, signal } = asked;
  const agent = new Agent({ keepAlive: false });
  agent.createConnection = () => connect();
  return new Promise((resolve, reject) => {
    const sent = request(asked.url, { agent, method, headers: Object.fromEntries(headers), signal }, (incoming) => {
      const { statusCode = 200, statusMessage, rawHeaders } = incoming;
      const received = new Headers();
      for (let at = 0; at < rawHeaders.length; at += 2) received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
      const hasBody = statusCode !== 204 && statusCode !== 304 && method !== 'HEAD';
      const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null;
      if (!hasBody) incoming.resume();
      resolve(new Response(body, { status: statusCode, statusText: statusMessage ?? '', headers: received }));
    });
    sent.on('error', reject);
    void asked.arrayBuffer().then((body) => sent.end(Buffer.from(body)), reject);
  });
}
