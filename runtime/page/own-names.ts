import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/**
 * The names of a server: those of its certificates, and its own address. A page under another name belongs to a site
 * whose name was pointed at this server (DNS rebinding).
 */
export class OwnNames {
  readonly #hostname: string;
  readonly #certificates: () => readonly string[];
  readonly #parsed = new Map<string, X509Certificate>();

  /** @param certificates returns the PEM of the certificates that are served now */
  constructor(hostname: string, certificates: () => readonly string[]) {
    this.#hostname = hostname;
    this.#certificates = certificates;
  }

  has(hostname: string): boolean {
    if (hostname === '') return false;
    return hostname === this.#hostname || this.#certificates().some((pem) => covers(this.#parse(pem), hostname));
  }

  #parse(pem: string): X509Certificate {
    let parsed = this.#parsed.get(pem);
    if (parsed === undefined) {
      this.#parsed.clear();
      parsed = new X509Certificate(pem);
      this.#parsed.set(pem, parsed);
    }
    return parsed;
  }
}

const covers = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
