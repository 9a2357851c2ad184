import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import { type AnyRequest, AuthenticationError } from '../authenticator.ts';
import type { CertificatePool } from './ca-bundle.ts';
import { type ChainValidity, verifyChain } from './verify-chain.ts';

/** A client certificate with a chain to a pool. */
export interface VerifiedCertificate {
  readonly certificate: X509Certificate;
  readonly validity: ChainValidity;
}

/** The result for a connection, made from its certificate and the pool. */
interface Known<T> {
  readonly pool: CertificatePool;
  readonly value?: T | undefined;
  readonly error?: AuthenticationError | undefined;
  readonly validity: ChainValidity;
}

const always: ChainValidity = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
/** The number of remembered chains. A client that resumes a TLS session sends no chain. */
const maxRememberedChains = 4096;

/** Unverified chains by the fingerprint of the client's certificate. Users must verify them. */
const chains = new BoundedMap<string, X509Certificate>(maxRememberedChains);
/** The certificate of each connection. Node returns a chain only once. */
const certificates = new WeakMap<object, X509Certificate>();

/**
 * Makes a value of a connection's verified client certificate, once for each connection and pool. The certificate's
 * validity is checked for each request, because connections and resumed TLS sessions may outlive it.
 */
export class PeerCertificates<T> {
  readonly #pool: () => CertificatePool;
  readonly #now: () => number;
  readonly #make: (certificate: X509Certificate) => T | undefined;
  readonly #known = new WeakMap<object, Known<T>>();
  /** What certificates with a chain to the pool are known as, by their fingerprints. Their connections share it. */
  #verified: Verified<T> | undefined;

  /** @param make called with certificates that lead to the pool. @throws AuthenticationError */
  constructor(pool: () => CertificatePool, now: () => number, make: (certificate: X509Certificate) => T | undefined) {
    this.#pool = pool;
    this.#now = now;
    this.#make = make;
  }

  /**
   * Returns undefined if the client has no certificate, or `make` returned undefined.
   *
   * @throws AuthenticationError if the certificate does not lead to the pool, is not for clients, or has expired
   */
  of(request: AnyRequest): T | undefined {
    const connection = connectionOf(request);
    if (connection === undefined) return undefined;
    const pool = this.#pool();
    let known = this.#known.get(connection.key);
    if (known?.pool !== pool) {
      known = this.#identify(connection, pool);
      this.#known.set(connection.key, known);
    }
    if (known.error !== undefined) throw known.error;
    const now = this.#now();
    if (now < known.validity.from || now > known.validity.to) {
      throw new AuthenticationError('x509: certificate has expired or is not yet valid');
    }
    return known.value;
  }

  #identify({ key, socket }: Connection, pool: CertificatePool): Known<T> {
    const certificate = certificateOf(key, socket);
    if (certificate === undefined) return { pool, validity: always };
    try {
      if (!socket.authorized) throw new AuthenticationError(`x509: ${socket.authorizationError ?? 'not trusted'}`);
      return this.#verify(certificate, pool);
    } catch (error) {
      return { pool, validity: always, error: error as AuthenticationError };
    }
  }

  /** Verifies a certificate once for all connections that have it: a program opens hundreds of watches. */
  #verify(certificate: X509Certificate, pool: CertificatePool): Known<T> {
    if (this.#verified?.pool !== pool) this.#verified = { pool, byFingerprint: new BoundedMap(maxRememberedChains) };
    const { byFingerprint } = this.#verified;
    let known = byFingerprint.get(certificate.fingerprint256);
    if (known === undefined) {
      const validity = verifyChain(certificate, pool);
      known = { pool, validity, value: this.#make(certificate) };
      byFingerprint.set(certificate.fingerprint256, known);
    }
    return known;
  }
}

interface Verified<T> {
  readonly pool: CertificatePool;
  readonly byFingerprint: BoundedMap<string, Known<T>>;
}

interface Connection {
  /** The identity of the connection, equal for all of its requests. */
  readonly key: object;
  readonly socket: TLSSocket;
}

function certificateOf(key: object, socket: TLSSocket): X509Certificate | undefined {
  const known = certificates.get(key);
  if (known !== undefined) return known;
  const sent = socket.getPeerX509Certificate();
  if (sent === undefined) return undefined;
  if (sent.issuerCertificate !== undefined) chains.set(sent.fingerprint256, sent);
  const certificate = chains.get(sent.fingerprint256) ?? sent;
  certificates.set(key, certificate);
  return certificate;
}

/**
 * Returns the connection of a request. Each HTTP/2 request has its own socket proxy, so the session identifies the
 * connection.
 */
function connectionOf(request: AnyRequest): Connection | undefined {
  const socket = request.socket as TLSSocket | null;
  if (!socket || typeof socket.getPeerX509Certificate !== 'function') return undefined;
  const session = 'stream' in request ? request.stream.session : undefined;
  return { key: session ?? socket, socket };
}
