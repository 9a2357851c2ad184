import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { type CertificateRequest, issueCertificate, type KeyPair } from '../../../runtime/serving/x509-certificate.ts';

const day = 24 * 3600 * 1000;

/** Writes a probe's response. */
export type ProbeAnswer = (response: ServerResponse) => void;

/** A request and its row of the table. */
export interface ProbedRequest {
  readonly request: IncomingMessage;
  /** Undefined without a row. */
  readonly row: number | undefined;
  /** The decoded JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: reviews of all kinds
  readonly body: any;
}

/** Returns the response to a request; undefined for a review that repeats the request. */
export type AnswerFor = (request: ProbedRequest) => ProbeAnswer | undefined;

/** A server with one certificate, and the caBundle for it. */
interface Listener {
  readonly port: number;
  /** PEM; "" without a bundle. */
  readonly bundle: string;
}

/** What servers without TLS answer to its first bytes. */
const rawAnswers: Readonly<Record<string, (socket: Socket) => void>> = {
  closing: (socket) => socket.end(),
  resetting: (socket) => socket.resetAndDestroy(),
  garbage: (socket) => socket.end('garbage\r\n\r\n'),
  brief: (socket) => socket.end('HTT'),
  lateVersion: (socket) => socket.end(Buffer.from([22, 16, 0, 0, 1, 2])),
  sslV2: (socket) => socket.end(Buffer.from([128, 46, 1, 0, 2])),
  oversized: (socket) => socket.end(Buffer.from([22, 3, 3, 255, 255, 2])),
  halfRecord: (socket) => socket.end(Buffer.from([22, 3, 3, 0, 80, 2, 0])),
  alert: (socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])),
};

interface Identity {
  readonly pair: KeyPair;
  /** The certificates sent after the leaf. */
  readonly chain?: string;
  readonly bundle: string;
}

/** Servers on 127.0.0.1 with all kinds of certificates and responses, for the comparison of clients. */
export class ProbeServer {
  readonly listeners = new Map<string, Listener>();
  /** The requests, in order. */
  readonly requests: ProbedRequest[] = [];
  readonly #answerFor: AnswerFor;
  readonly #servers: (Server | TcpServer)[] = [];

  private constructor(answerFor: AnswerFor) {
    this.#answerFor = answerFor;
  }

  static async open(answerFor: AnswerFor): Promise<ProbeServer> {
    const probe = new ProbeServer(answerFor);
    for (const [name, { pair, chain = '', bundle }] of Object.entries(identities())) {
      const server = createSecureServer({ cert: pair.certificate + chain, key: pair.key });
      await probe.#listen(name, probe.#handling(server), bundle);
    }
    const { bundle } = identities().issued;
    await probe.#listen('plain', probe.#handling(createServer()), bundle);
    for (const [name, answer] of Object.entries(rawAnswers)) {
      await probe.#listen(
        name,
        createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => answer(socket))),
        bundle,
      );
    }
    probe.listeners.set('refusing', { port: 1, bundle });
    return probe;
  }

  listener(name: string): Listener {
    const found = this.listeners.get(name);
    if (found === undefined) throw new Error(`the probe has no listener ${name}`);
    return found;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #listen(name: string, server: Server | TcpServer, bundle: string): Promise<void> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#servers.push(server);
    this.listeners.set(name, { port: (server.address() as AddressInfo).port, bundle });
  }

  #handling(server: Server): Server {
    // a connection that closes during a request is another row
    server.keepAliveTimeout = 0;
    return server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const named = /\brow-(\d+)\b/.exec(text) ?? /^\/apis\/row-(\d+)\./.exec(request.url ?? '');
        const probed: ProbedRequest = {
          request,
          row: named === null ? undefined : Number(named[1]),
          body: text === '' ? undefined : JSON.parse(text),
        };
        this.requests.push(probed);
        (this.#answerFor(probed) ?? refuse(probed))(response);
      });
    });
  }
}

const shownHeaders = ['accept', 'accept-encoding', 'content-type', 'user-agent', 'referer'] as const;

const headersOf = (headers: Readonly<Record<string, string | string[] | undefined>>): string =>
  shownHeaders
    .filter((name) => headers[name] !== undefined)
    .map((name) => `${name}=${headers[name]}`)
    .join(' ');

/** A review that refuses, with the request in its message. */
function refuse({ request, body }: ProbedRequest): ProbeAnswer {
  const { kind, apiVersion } = body ?? {};
  const message = `${request.method} ${request.url} ${headersOf(request.headers)}`;
  const review = answerTo(kind, body?.request?.uid ?? '', message);
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind, apiVersion, ...review }));
  };
}

function answerTo(kind: string | undefined, uid: string, message: string): object {
  switch (kind) {
    case 'ConversionReview':
      return { response: { uid, result: { status: 'Failed', message }, convertedObjects: [] } };
    case 'SubjectAccessReview':
      return { status: { allowed: false, reason: message } };
    case 'TokenReview':
      return { status: { authenticated: false, error: message } };
    default: {
      const defaults = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' };
      return { ...(kind === undefined && defaults), response: { uid, allowed: false, status: { message } } };
    }
  }
}

let made: Readonly<Record<string, Identity>> | undefined;

function identities(): Readonly<Record<string, Identity>> {
  made ??= makeIdentities();
  return made;
}

function makeIdentities(): Record<string, Identity> {
  const now = Date.now();
  const validity = { from: now - 3600_000, until: now + day };
  const issue = (request: Partial<CertificateRequest>, issuer?: KeyPair): KeyPair =>
    issueCertificate({ commonName: 'probe', names: ['127.0.0.1', '*.default.svc'], use: 'server', ...validity, ...request }, issuer);
  const authority = (commonName: string, issuer?: KeyPair, more: Partial<CertificateRequest> = {}): KeyPair =>
    issue({ commonName, names: [], use: 'ca', ...more }, issuer);
  const root = authority('probe-root');
  const impostor = authority('probe-root');
  const between = authority('probe-between', root);
  const expiredRoot = authority('probe-old-root', undefined, { until: now - 1000 });
  const selfSigned = issue({});
  const bundle = root.certificate;
  const byBetween = issue({}, between);
  return {
    issued: { pair: issue({}, root), bundle },
    untrusted: { pair: issue({}, root), bundle: '' },
    selfSigned: { pair: selfSigned, bundle: selfSigned.certificate },
    selfSignedUntrusted: { pair: selfSigned, bundle },
    chain: { pair: byBetween, chain: between.certificate, bundle },
    chainWithoutRoot: { pair: byBetween, chain: between.certificate, bundle: between.certificate },
    intermediateAsRoot: { pair: byBetween, bundle: between.certificate },
    intermediateMissing: { pair: byBetween, bundle },
    leafAsRoot: { pair: byBetween, bundle: byBetween.certificate },
    impostor: { pair: issue({}, impostor), bundle },
    byLeaf: { pair: issue({}, selfSigned), bundle: selfSigned.certificate },
    otherName: { pair: issue({ names: ['other.example'] }, root), bundle },
    otherAddress: { pair: issue({ names: ['127.0.0.2', '::1'] }, root), bundle },
    commonNameOnly: { pair: issue({ commonName: '127.0.0.1', names: [] }, root), bundle },
    noName: { pair: issue({ names: [] }, root), bundle },
    expired: { pair: issue({ until: now - 1000 }, root), bundle },
    future: { pair: issue({ from: now + 3600_000 }, root), bundle },
    clientOnly: { pair: issue({ use: 'client' }, root), bundle },
    expiredRoot: { pair: issue({}, expiredRoot), bundle: expiredRoot.certificate },
  };
}
