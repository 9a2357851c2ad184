import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, type DetailedPeerCertificate, rootCertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { encodePem, PemReader } from '../../machinery/go/pem.ts';
import { handshakeError, NetworkError, rememberEnds } from './network-error.ts';
import { RecordSocket } from './record-socket.ts';
import { type Certificate, parseCertificate } from './x509/certificate.ts';
import { leafProblem, verifyProblem } from './x509/verify.ts';

/** The TLS credentials of a client, and its trust in servers. (client-go rest.TLSClientConfig) */
export interface TLSClientConfig {
  /** PEM of the certificates to trust. Default: the system's authorities. */
  readonly ca?: string | Uint8Array | undefined;
  /** PEM of the client's certificate and its key. */
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
  /** The expected name in certificates. Default: the name of the connection. */
  readonly serverName?: string | undefined;
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined;
  /** Protocols to offer, the most preferred first. Default: HTTP/1.1. */
  readonly nextProtos?: readonly string[] | undefined;
}

/** The timeout in milliseconds. (client-go transport tlsTransportCache) */
const handshakeTimeout = 10_000;

/** Upgrades connections to TLS. It verifies the server like crypto/tls, before any data is sent. */
export class TLSClient {
  readonly #config: TLSClientConfig;
  readonly #context: SecureContext;
  /** Undefined for the system's authorities. */
  readonly #roots: readonly Certificate[] | undefined;

  /** @throws Error for an unusable certificate or key */
  constructor(config: TLSClientConfig = {}) {
    this.#config = config;
    const { ca, cert, key } = config;
    const bundle = ca === undefined ? '' : textOf(ca);
    const roots = bundle === '' ? undefined : certificatesOf(bundle);
    this.#roots = roots;
    this.#context = createSecureContext({
      ...(roots && { ca: roots.map(({ raw }) => encodePem('CERTIFICATE', raw)) }),
      ...(cert !== undefined && { cert: textOf(cert) }),
      ...(key !== undefined && { key: textOf(key) }),
      allowPartialTrustChain: true,
    });
  }

  /**
   * Makes a TLS connection. OpenSSL does not tell what servers send that do not speak TLS: a handshake that ends with such an answer is
   * made once more, over a connection whose records are looked at.
   *
   * @param dial opens the connection below
   * @param host a name or an IP address, without brackets
   * @throws NetworkError
   */
  async secure(dial: () => Promise<Duplex>, host: string, nextProtos = this.#config.nextProtos): Promise<TLSSocket> {
    const socket = await dial();
    try {
      return await this.#secure(socket, socket, host, nextProtos);
    } catch (error) {
      if (!isUnexplained(error as NetworkError, socket)) throw error;
      const again = await dial();
      return this.#secure(again, new RecordSocket(again), host, nextProtos);
    }
  }

  async #secure(socket: Duplex, below: Duplex, host: string, nextProtos: readonly string[] | undefined): Promise<TLSSocket> {
    const { serverName = host, insecure = false } = this.#config;
    const secure = connect({
      socket: below as Socket,
      secureContext: this.#context,
      servername: isIP(serverName) === 0 ? serverName.replace(/\.$/, '') : '',
      ALPNProtocols: [...(nextProtos ?? ['http/1.1'])],
      // Go's rules are applied after the handshake
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    // errors after the handshake have other listeners
    secure.on('error', () => undefined);
    socket.on('error', () => undefined);
    rememberEnds(secure, socket);
    try {
      await handshake(secure, socket);
      const problem = insecure ? undefined : this.#problemOf(secure, serverName);
      if (problem !== undefined) throw new NetworkError(problem, 'CERTIFICATE');
      return secure;
    } catch (error) {
      secure.destroy();
      throw error;
    }
  }

  /** Both OpenSSL and Go's rules must accept a certificate. */
  #problemOf(secure: TLSSocket, name: string): string | undefined {
    let chain: Certificate[];
    try {
      chain = chainOf(secure.getPeerCertificate(true)).map(parseCertificate);
    } catch (error) {
      return `tls: failed to parse certificate from server: ${messageOf(error)}`;
    }
    const [leaf, ...intermediates] = chain;
    if (leaf === undefined) return 'tls: received empty certificates message';
    const now = Date.now();
    const isTrusted = secure.authorized && this.#roots === undefined;
    const problem = isTrusted
      ? leafProblem(leaf, { name, now })
      : verifyProblem(leaf, { intermediates, roots: this.#roots ?? systemRoots(), name, now });
    const refused = problem ?? (secure.authorized ? undefined : openSslProblem(secure.authorizationError));
    return refused && `tls: failed to verify certificate: ${refused}`;
  }
}

/** Whether an error of a handshake does not tell what the server has sent. */
function isUnexplained({ code, message }: NetworkError, socket: Duplex): boolean {
  if (message === 'EOF') return (socket as Partial<Socket>).bytesRead !== 0;
  return code?.startsWith('ERR_SSL_') === true && !message.startsWith('remote error: ');
}

function handshake(secure: TLSSocket, socket: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new NetworkError('net/http: TLS handshake timeout', 'ETIMEDOUT'));
    }, handshakeTimeout);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(handshakeError(error, secure));
    };
    secure.once('secureConnect', () => {
      clearTimeout(timer);
      resolve();
    });
    secure.once('error', fail);
    socket.once('error', fail);
    secure.once('close', () => fail(new NetworkError('EOF', 'ECONNRESET')));
  });
}

/** Returns an error that only OpenSSL reports, in the words of crypto/x509 where they exist. */
function openSslProblem(error: Error | string): string {
  const code = typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? error.message);
  switch (code) {
    case 'PERMITTED_VIOLATION':
    case 'EXCLUDED_VIOLATION':
      return 'x509: a root or intermediate certificate is not authorized to sign for this name';
    case 'INVALID_PURPOSE':
      return 'x509: certificate specifies an incompatible key usage';
    case 'PATH_LENGTH_EXCEEDED':
      return 'x509: too many intermediates for path length constraint';
    default:
      return `x509: certificate signed by unknown authority (${code})`;
  }
}

/** Returns a server's certificate and its intermediates, in DER. */
function chainOf(peer: DetailedPeerCertificate): Buffer[] {
  const chain: Buffer[] = [];
  const seen = new Set<string>();
  for (let one: DetailedPeerCertificate | undefined = peer; one?.raw !== undefined; one = one.issuerCertificate) {
    if (seen.has(one.fingerprint256)) break;
    seen.add(one.fingerprint256);
    chain.push(one.raw);
  }
  return chain;
}

/** Returns the certificates of a bundle. Invalid ones are skipped. (CertPool.AppendCertsFromPEM) */
function certificatesOf(bundle: string): Certificate[] {
  const reader = new PemReader(bundle);
  const certificates: Certificate[] = [];
  for (let block = reader.next(); block !== undefined; block = reader.next()) {
    if (block.type !== 'CERTIFICATE' || block.hasHeaders) continue;
    try {
      certificates.push(parseCertificate(block.bytes));
    } catch {
      // others may be valid
    }
  }
  return certificates;
}

let system: readonly Certificate[] | undefined;

function systemRoots(): readonly Certificate[] {
  system ??= certificatesOf(rootCertificates.join('\n'));
  return system;
}

/** Decodes each byte to one character. */
const textOf = (pem: string | Uint8Array): string => (typeof pem === 'string' ? pem : Buffer.from(pem).toString('latin1'));
