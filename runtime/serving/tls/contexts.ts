import { createSecureContext, type SecureContext, type SecureContextOptions, type SecureVersion } from 'node:tls';
import type { KeyPair } from '../x509-certificate.ts';
import { byName, type NamedCertificate, servedFor } from './named-certificates.ts';

/** The certificates of a server, which may change while it runs. */
export interface ServedCertificates {
  readonly serving: KeyPair;
  /** For clients that ask for their names. Default: none. */
  readonly named?: readonly NamedCertificate[];
  /** PEM of the CAs for client certificates. */
  readonly clientAuthorities: readonly string[];
}

export interface TlsSettings {
  /** Default: TLS 1.2. */
  readonly minVersion?: SecureVersion;
  /** As OpenSSL takes them. Default: those of the runtime. */
  readonly ciphers?: string;
}

/** Chooses what each handshake uses. (dynamiccertificates.DynamicServingCertificateController) */
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

  /** For clients that ask for no name, or for one that no certificate has. */
  get default(): SecureContextOptions {
    return this.#optionsFor(this.#certificates.serving);
  }

  readonly sniCallback = (name: string, use: (error: Error | null, context?: SecureContext) => void): void =>
    use(null, servedFor(this.#byName, name));

  /** For handshakes that begin from now on; the caller gives `default` to its server. @throws Error, and changes nothing */
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
    // OpenSSL allows older versions, whose signatures are weak, only at this level
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
