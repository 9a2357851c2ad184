/** Who signs certificates that were requested and approved. By default the server's own CA signs for all signers. */
export interface CSRSigningOptions {
  /** PEM file of the CA for all signers, and of its key. */
  readonly clusterSigningCertFile?: string | undefined;
  readonly clusterSigningKeyFile?: string | undefined;
  /** The same for one signer. If any is set, the others do not sign. */
  readonly clusterSigningKubeletServingCertFile?: string | undefined;
  readonly clusterSigningKubeletServingKeyFile?: string | undefined;
  readonly clusterSigningKubeletClientCertFile?: string | undefined;
  readonly clusterSigningKubeletClientKeyFile?: string | undefined;
  readonly clusterSigningKubeApiserverClientCertFile?: string | undefined;
  readonly clusterSigningKubeApiserverClientKeyFile?: string | undefined;
  readonly clusterSigningLegacyUnknownCertFile?: string | undefined;
  readonly clusterSigningLegacyUnknownKeyFile?: string | undefined;
  /** Milliseconds for which certificates are valid; requests may ask for less. Default: a year of 365 days. */
  readonly clusterSigningDuration?: number | undefined;
}
