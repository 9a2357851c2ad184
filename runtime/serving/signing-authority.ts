import type { Clock } from '../machinery/clock.ts';
import type { KeySource } from '../machinery/keys.ts';
import { issueAuthority } from './certificates.ts';
import type { KeyPair } from './x509-certificate.ts';

export interface SigningAuthorityOptions {
  /** Of a fork: CAs of client certificates that are older than it, in PEM. */
  readonly inherited?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly keys: KeySource;
}

/**
 * The CA that signs requests for certificates: the server's own, until it is forked. From then on, origin and fork sign with CAs
 * of their own, so that a client certificate is valid where it was signed, and in forks that began later.
 */
export class SigningAuthority {
  readonly #options: SigningAuthorityOptions;
  readonly #trusted: string[];
  #pair: KeyPair | undefined;
  #onTrusted: () => void = () => undefined;

  /** @param own signs the certificates of the server and of its administrator, which are also those of its forks */
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

  /** Calls `listener` when there is another one of these. */
  onTrusted(listener: () => void): void {
    this.#onTrusted = listener;
  }

  /** The CA that signs now. It is made when it is first needed. */
  current(): KeyPair {
    if (this.#pair === undefined) {
      this.#pair = issueAuthority(`kubeloom-ca-${this.#options.keys.serial('signing-ca').toString('hex')}`, this.#options);
      this.#trusted.push(this.#pair.certificate);
      this.#onTrusted();
    }
    return this.#pair;
  }

  /** Returns the CAs that a fork trusts which begins now. */
  fork(): readonly string[] {
    this.#pair = undefined;
    return [...this.#trusted];
  }
}
