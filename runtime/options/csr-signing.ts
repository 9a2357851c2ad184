/** Who signs certificates that were requested and approved. By default the server's own CA signs for all signers. */
export interface CSRSigningOptions {
  /** PEM file of the CA for all signers, and of its key. */
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
  /** The same for one signer. If any is set, the others do not sign. */
  readonly clusterSigningKubeletServingCertFile?: string;
  readonly clusterSigningKubeletServingKeyFile?: string;
  readonly clusterSigningKubeletClientCertFile?: string;
  readonly clusterSigningKubeletClientKeyFile?: string;
  readonly clusterSigningKubeApiserverClientCertFile?: string;
  readonly clusterSigningKubeApiserverClientKeyFile?: string;
  readonly clusterSigningLegacyUnknownCertFile?: string;
  readonly clusterSigningLegacyUnknownKeyFile?: string;
  /** Milliseconds for which certificates are valid; requests may ask for less. Default: a year of 365 days. */
  readonly clusterSigningDuration?: number;
}
