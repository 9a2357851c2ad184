import type { SignerName } from '../../kinds/certificates.k8s.io/signer-rules.ts';
import { CertificateAuthority, type SigningPair } from '../../machinery/x509/authority.ts';

/** Where the pair of a signer comes from: it may change while the server runs. */
export type SigningPairSource = () => SigningPair | Promise<SigningPair>;

export interface SigningOptions {
  /** Signers without a source do not sign. */
  readonly sources: Readonly<Partial<Record<SignerName, SigningPairSource>>>;
  /** The longest validity of a certificate, in milliseconds. */
  readonly duration: number;
}

/** The authority of a signer, made anew when its pair changes. (signer/ca_provider.go) */
export class CAProvider {
  readonly #source: SigningPairSource;
  #pair: SigningPair | undefined;
  #authority: CertificateAuthority | undefined;

  constructor(source: SigningPairSource) {
    this.#source = source;
  }

  /** The last good authority, if the pair cannot be read or used. @throws Error if there is none */
  async current(): Promise<CertificateAuthority> {
    try {
      const pair = await this.#source();
      if (this.#pair?.certificate !== pair.certificate || this.#pair.key !== pair.key) {
        this.#authority = new CertificateAuthority(pair);
        this.#pair = pair;
      }
    } catch (error) {
      if (this.#authority === undefined) throw error;
    }
    if (this.#authority === undefined) throw new Error('no CA is loaded');
    return this.#authority;
  }
}
