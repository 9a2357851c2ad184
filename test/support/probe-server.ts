import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { type CertificateRequest, issueCertificate, type KeyPair } from '../../runtime/server/x509-certificate.ts';

const day = 24 * 3600 * 1000;

/** What a probe answers at a path; a function gets the uid of the review. */
export type ProbeAnswer = (response: ServerResponse, uid: string) => void;

/** A server with one certificate, and what a caBundle says of it. */
interface Listener {
  readonly port: number;
  /** PEM; "" for none. */
  readonly bundle: string;
}

interface Identity {
  readonly pair: KeyPair;
  /** What is sent after the certificate. */
  readonly chain?: string;
  readonly bundle: string;
}

/** Servers on 127.0.0.1 that show every kind of certificate and answer in every way, for clients to be compared. */
export class ProbeServer {
  readonly listeners = new Map<string, Listener>();
  /** `METHOD url` of the requests, in order. */
  readonly requests: string[] = [];
  readonly #answers: ReadonlyMap<string, ProbeAnswer>;
  readonly #servers: (Server | TcpServer)[] = [];

  private constructor(answers: ReadonlyMap<string, ProbeAnswer>) {
    this.#answers = answers;
  }

  /** @param answers by path */
  static async open(answers: ReadonlyMap<string, ProbeAnswer>): Promise<ProbeServer> {
    const probe = new ProbeServer(answers);
    for (const [name, { pair, chain = '', bundle }] of Object.entries(identities())) {
      const server = createSecureServer({ cert: pair.certificate + chain, key: pair.key });
      await probe.#listen(name, probe.#handling(server), bundle);
    }
    const { bundle } = identities().issued;
    await probe.#listen('plain', probe.#handling(createServer()), bundle);
    await probe.#listen(
      'closing',
      createTcpServer((socket) => socket.once('data', () => socket.end())),
      bundle,
    );
    await probe.#listen(
      'resetting',
      createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
      bundle,
    );
    probe.listeners.set('refusing', { port: 1, bundle });
    return probe;
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
    return server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.requests.push(`${request.method} ${request.url}`);
        const uid = text === '' ? '' : JSON.parse(text).request.uid;
        const path = (request.url ?? '').replace(/\?.*/, '');
        const answer = this.#answers.get(path);
        if (answer === undefined) deny(`${request.method} ${request.url} ${headersOf(request.headers)}`)(response, uid);
        else answer(response, uid);
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

/** A review that refuses, and says what was asked. */
export const deny =
  (message: string): ProbeAnswer =>
  (response, uid) => {
    const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...review, response: { uid, allowed: false, status: { message } } }));
  };

let made: Readonly<Record<string, Identity>> | undefined;

function identities(): Readonly<Record<string, Identity>> {
  made ??= makeIdentities();
  return made;
}

function makeIdentities(): Record<string, Identity> {
  const now = Date.now();
  const validity = { from: now - 3600_000, until: now + day };
  const issue = (request: Partial<CertificateRequest>, issuer?: KeyPair): KeyPair =>
    issueCertificate({ commonName: 'probe', names: ['127.0.0.1'], use: 'server', ...validity, ...request }, issuer);
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
