import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import { issueCertificate, type KeyPair } from '../../runtime/serving/x509-certificate.ts';
import type { PortConnection } from '../../runtime/streaming/portforward/port-connection.ts';
import { StreamPairs } from '../../runtime/streaming/portforward/stream-pairs.ts';
import { SpdyConnection } from '../../runtime/streaming/spdy/connection.ts';
import type { SpdyStream } from '../../runtime/streaming/spdy/stream.ts';

const hour = 3_600_000;

/** The streaming API of a kubelet over TLS on 127.0.0.1. It refuses clients without a certificate of its CA. */
export class FakeKubelet {
  /** The authority of its certificate and of its clients'. */
  readonly authority: KeyPair;
  /** The requests in order, as `GET /path?query`. */
  readonly requests: string[] = [];
  /** The terminal sizes from clients. */
  readonly sizes: string[] = [];
  /** Logs break off after their first line. */
  breaksOff = false;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #websockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered].find((name) => name === 'v4.channel.k8s.io') ?? false,
  });

  private constructor(server: Server, authority: KeyPair) {
    this.#server = server;
    this.authority = authority;
    server.on('request', (request, response) => this.#answer(request, response));
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    server.on('secureConnection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined);
    });
  }

  /** @param names the names in its certificate */
  static async open(names: readonly string[]): Promise<FakeKubelet> {
    const validity = { from: Date.now() - 60_000, until: Date.now() + hour };
    const authority = issueCertificate({ commonName: 'kubelet-ca', use: 'ca', ...validity });
    const own = issueCertificate({ commonName: 'node', names, use: 'server', ...validity }, authority);
    const server = createServer({
      cert: own.certificate,
      key: own.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeKubelet(server, authority);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Returns an accepted client certificate. */
  clientPair(): KeyPair {
    const validity = { from: Date.now() - 60_000, until: Date.now() + hour };
    return issueCertificate({ commonName: 'apiserver', use: 'client', ...validity }, this.authority);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** Records a request, and returns true if the client is accepted. */
  #record({ method, url, socket }: IncomingMessage): boolean {
    this.requests.push(`${method} ${url}`);
    return (socket as TLSSocket).authorized;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#record(request)) {
      response.writeHead(401).end('Unauthorized');
      return;
    }
    const url = new URL(request.url ?? '/', 'https://node');
    const [, kind, , pod, container] = url.pathname.split('/');
    if (kind !== 'containerLogs') {
      response.setHeader('content-type', 'text/html');
      response.end(`<a href="/logs/">${request.method} ${request.url}</a>`);
    } else if (pod === 'refused') response.writeHead(Number(container)).end(`no ${container}`);
    else if (pod === 'moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else {
      response.write(`log of ${container}\n`);
      if (this.breaksOff) setImmediate(() => response.destroy());
      else if (url.searchParams.has('follow')) setImmediate(() => response.end('more\n'));
      else response.end();
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (!this.#record(request)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 12\r\n\r\nUnauthorized');
      return;
    }
    const url = new URL(request.url ?? '/', 'https://node');
    if (request.headers.upgrade === 'websocket') {
      this.#websockets.handleUpgrade(request, socket, head, (client) => {
        client.send(Buffer.from(`\u0001over ${client.protocol}`));
        client.send(Buffer.from('\u0003{"status":"Success"}'), () => client.close());
      });
      return;
    }
    const protocol = String(request.headers['x-stream-protocol-version']).includes('portforward')
      ? 'portforward.k8s.io'
      : 'v4.channel.k8s.io';
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
    );
    if (head.length > 0) socket.unshift(head);
    if (protocol === 'portforward.k8s.io') forward(socket);
    else this.#run(socket, url.searchParams);
  }

  #run(transport: Duplex, query: URLSearchParams): void {
    const isTerminal = query.has('tty');
    const wanted = [query.has('input'), query.has('output'), query.has('error') && !isTerminal, isTerminal];
    const expected = 1 + wanted.filter(Boolean).length;
    const streams = new Map<string, SpdyStream>();
    const connection = new SpdyConnection({
      transport,
      role: 'server',
      onStream: (stream) => {
        stream.reply();
        streams.set(stream.headers.streamtype, stream);
        if (streams.size === expected) void this.#command(query.getAll('command'), streams).then(() => connection.close());
      },
    });
  }

  async #command([command = 'cat', ...args]: readonly string[], streams: Map<string, SpdyStream>): Promise<void> {
    const [stdin, stdout, stderr, error] = ['stdin', 'stdout', 'stderr', 'error'].map((type) => streams.get(type));
    streams.get('resize')?.on('data', (chunk: Buffer) => this.sizes.push(chunk.toString()));
    let status: object = { status: 'Success' };
    if (command === 'cat' && stdin !== undefined) for await (const chunk of stdin) stdout?.write(chunk);
    if (command === 'echo') stdout?.write(`${args.join(' ')}\n`);
    if (command === 'warn') stderr?.write(`${args.join(' ')}\n`);
    if (command === 'exit') {
      const causes = [{ reason: 'ExitCode', message: args[0] }];
      status = { status: 'Failure', reason: 'NonZeroExitCode', message: 'it has ended', details: { causes } };
    }
    if (command === 'fail') status = { status: 'Failure', reason: 'InternalError', message: 'no such command' };
    error?.end(JSON.stringify(status));
    await Promise.all([stdout, stderr, error].map((stream) => stream && new Promise<void>((done) => stream.end(done))));
  }
}

function forward(transport: Duplex): void {
  const pairs = new StreamPairs(({ port, data, error, reset }: PortConnection) => {
    data.on('error', () => undefined);
    if (port === 81) {
      error.end('connection refused', reset);
      return;
    }
    data.pipe(data);
    data.on('end', () => error.end());
  });
  const connection = new SpdyConnection({ transport, role: 'server', onStream: (stream) => pairs.add(stream) });
  void connection.closed.then(() => pairs.close());
}
