import type { Clock } from '../machinery/clock.ts';
import type { KeySource } from '../machinery/keys.ts';
import { issueAuthority } from './certificates.ts';
import type { KeyPair } from './x509-certificate.ts';

export interface SigningAuthorityOptions {
  /** For a fork: PEM of older CAs whose client certificates it accepts. */
  readonly inherited?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly keys: KeySource;
}

/**
 * The CA that signs certificate requests: the server's own, until the server is forked. Origin and fork then sign with
 * new CAs, so a client certificate is valid where it was signed, and in forks that began later.
 */
export class SigningAuthority {
  readonly #options: SigningAuthorityOptions;
  readonly #trusted: string[];
  #pair: KeyPair | undefined;
  #onTrusted: () => void = () => undefined;

  /** @param own signs the certificates of the server and of its administrator; forks share these certificates */
  constructor(own: KeyPair, options: SigningAuthorityOptions) {
    const { inherited } = options;
    this.#options = options;
    this.#trusted = [...(inherited ?? [own.certificate])];
    this.#pair = inherited === undefined ? own : undefined;
  }

  /** PEM of all CAs whose client certificates are accepted. */
  get trusted(): readonly string[] {
    return this.#trusted;
  }

  /** Calls `listener` when a trusted CA is added. */
  onTrusted(listener: () => void): void {
    this.#onTrusted = listener;
  }

  /** Returns the signing CA. Creates it on first use. */
  current(): KeyPair {
    if (this.#pair === undefined) {
      this.#pair = issueAuthority(`kubeloom-ca-${this.#options.keys.serial('signing-ca').toString('hex')}`, this.#options);
      this.#trusted.push(this.#pair.certificate);
      this.#onTrusted();
    }
    return this.#pair;
  }

  /** Returns the CAs that a new fork trusts. */
  fork(): readonly string[] {
    this.#pair = undefined;
    return [...this.#trusted];
  }
}
