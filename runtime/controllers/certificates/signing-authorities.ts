import type { SignerName } from '../../kinds/certificates.k8s.io/signer-rules.ts';
import { CertificateAuthority, type SigningPair } from '../../machinery/x509/authority.ts';

/** Returns the current pair of a signer, which may change while the server runs. */
export type SigningPairSource = () => SigningPair | Promise<SigningPair>;

export interface SigningOptions {
  /** The sources of the signers' pairs. Signers without a source do not sign. */
  readonly sources: Readonly<Partial<Record<SignerName, SigningPairSource>>>;
  /** The maximum validity of a certificate in milliseconds. */
  readonly duration: number;
}

/** The authority of a signer, recreated when its pair changes. (signer/ca_provider.go) */
export class CAProvider {
  readonly #source: SigningPairSource;
  #pair: SigningPair | undefined;
  #authority: CertificateAuthority | undefined;

  constructor(source: SigningPairSource) {
    this.#source = source;
  }

  /**
   * Returns the authority of the current pair, or the last good one if the pair is unusable. @throws Error if there is
   * none
   */
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
