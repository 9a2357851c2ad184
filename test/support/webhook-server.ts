import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { issueCertificate, type KeyPair } from '../../runtime/serving/x509-certificate.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of all kinds
type Any = any;

/** A request to a test's server. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The common name of the client's certificate; undefined without a trusted one. */
  readonly clientName?: string;
  /** The client's port, which identifies the connection. */
  readonly port: number;
  /** The decoded JSON; undefined without a body. */
  readonly body: Any;
}

export interface SentResponse {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
}

/**
 * The response of a test's server, or none ('hang'), a closed connection ('reset'), or a reset connection ('abort').
 */
export type Answer = SentResponse | 'hang' | 'reset' | 'abort';
export type Respond = (request: ReceivedRequest) => Answer | Promise<Answer>;

/** An HTTPS server on 127.0.0.1 with its own certificate authority, as a webhook or an issuer of tokens. */
export class WebhookServer {
  /** The requests, in order. */
  readonly requests: ReceivedRequest[] = [];
  respond: Respond;
  /** The authority of the server's certificate, and of clients'. PEM. */
  readonly authority: KeyPair;
  readonly #server: Server;

  private constructor(server: Server, authority: KeyPair, respond: Respond) {
    this.#server = server;
    this.authority = authority;
    this.respond = respond;
  }

  static async open(respond: Respond, names: readonly string[] = ['127.0.0.1']): Promise<WebhookServer> {
    const from = Date.now() - 60_000;
    const validity = { from, until: from + 24 * 3600 * 1000 };
    const authority = issueCertificate({ commonName: 'webhook-ca', use: 'ca', ...validity });
    const serving = issueCertificate({ commonName: names[0], names, use: 'server', ...validity }, authority);
    const server = createServer({
      cert: serving.certificate,
      key: serving.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const webhook = new WebhookServer(server, authority, respond);
    const sockets = new Map<number | undefined, Socket>();
    server.on('connection', (socket: Socket) => {
      const { remotePort } = socket;
      sockets.set(remotePort, socket);
      socket.on('close', () => sockets.delete(remotePort));
    });
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', async () => {
        const socket = request.socket as TLSSocket;
        const text = Buffer.concat(parts).toString();
        const received: ReceivedRequest = {
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          clientName: socket.authorized ? (socket.getPeerCertificate().subject?.CN as string) : undefined,
          port: socket.remotePort ?? 0,
          body: text === '' ? undefined : JSON.parse(text),
        };
        webhook.requests.push(received);
        const sent = await webhook.respond(received);
        if (sent === 'hang') return;
        if (sent === 'abort') return sockets.get(socket.remotePort)?.resetAndDestroy();
        if (sent === 'reset') return request.socket.destroy();
        const body = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body ?? {});
        response.writeHead(sent.status ?? 200, { 'content-type': 'application/json', ...sent.headers }).end(body);
      });
    });
    return webhook;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns a client certificate of the authority. */
  clientPair(commonName: string): KeyPair {
    const from = Date.now() - 60_000;
    return issueCertificate({ commonName, use: 'client', from, until: from + 24 * 3600 * 1000 }, this.authority);
  }

  /** Returns a kubeconfig for this server. @param user credentials, as in kubeconfigs */
  kubeconfig(path = '/', user: Readonly<Record<string, string>> = {}): string {
    const authority = Buffer.from(this.authority.certificate).toString('base64');
    return JSON.stringify({
      'current-context': 'webhook',
      contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: 'apiserver' } }],
      clusters: [{ name: 'webhook', cluster: { server: this.url + path, 'certificate-authority-data': authority } }],
      users: [{ name: 'apiserver', user }],
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
