import { createSecureContext, type SecureContext, type SecureContextOptions, type SecureVersion } from 'node:tls';
import type { KeyPair } from '../x509-certificate.ts';
import { byName, type NamedCertificate, servedFor } from './named-certificates.ts';

/** The certificates of a server, which may change while it runs. */
export interface ServedCertificates {
  readonly serving: KeyPair;
  /** Certificates for clients that request a name. Default: none. */
  readonly named?: readonly NamedCertificate[];
  /** PEM of the CAs for client certificates. */
  readonly clientAuthorities: readonly string[];
}

export interface TlsSettings {
  /** Default: TLS 1.2. */
  readonly minVersion?: SecureVersion;
  /** Suites in OpenSSL's notation. Default: the runtime's. */
  readonly ciphers?: string;
}

/** Chooses the certificate of each handshake. (dynamiccertificates.DynamicServingCertificateController) */
export class TlsContexts {
  readonly #settings: TlsSettings;
  #certificates: ServedCertificates;
  #byName: ReadonlyMap<string, SecureContext>;

  /** @throws Error for an invalid certificate or key */
  constructor(certificates: ServedCertificates, settings: TlsSettings) {
    this.#settings = settings;
    this.#certificates = certificates;
    this.#byName = this.#named(certificates);
  }

  /** The context for clients that request no name, or a name without a certificate. */
  get default(): SecureContextOptions {
    return this.#optionsFor(this.#certificates.serving);
  }

  readonly sniCallback = (name: string, use: (error: Error | null, context?: SecureContext) => void): void =>
    use(null, servedFor(this.#byName, name));

  /**
   * Changes the certificates for later handshakes. The caller gives `default` to its server.
   *
   * @throws Error for an invalid certificate, and then changes nothing
   */
  update(changes: Partial<ServedCertificates>): void {
    const certificates = { ...this.#certificates, ...changes };
    const named = this.#named(certificates);
    this.#certificates = certificates;
    this.#byName = named;
  }

  #named({ named = [], clientAuthorities }: ServedCertificates): ReadonlyMap<string, SecureContext> {
    return byName(named, (pair) => createSecureContext(this.#optionsFor(pair, clientAuthorities)));
  }

  #optionsFor(pair: KeyPair, authorities = this.#certificates.clientAuthorities): SecureContextOptions {
    const { minVersion = 'TLSv1.2', ciphers } = this.#settings;
    // OpenSSL only allows older versions, with their weak signatures, at this level
    const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
    return {
      cert: pair.certificate,
      key: pair.key,
      ca: [...authorities],
      minVersion,
      ...(ciphers === undefined ? {} : { ciphers: isOld ? `${ciphers}:@SECLEVEL=0` : ciphers }),
    };
  }
}
