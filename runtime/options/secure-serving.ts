/** Where and with which certificates a server listens. (kube-apiserver: pkg/server/options/serving.go) */
export interface SecureServingOptions {
  /** The address to bind. Default: 127.0.0.1. */
  readonly bindAddress?: string | undefined;
  /** The port to bind. Default: 0, any free port. */
  readonly port?: number | undefined;
  /**
   * The folder of the certificates, which are created on the first start, and of the signing key for tokens, which is created
   * when it is first needed. Default: certificates and key exist only in memory.
   */
  readonly certDir?: string | undefined;
  /** PEM files of the serving certificate, with its chain, and its key; read again when they change. Default: the server's own. */
  readonly tlsCertFile?: string | undefined;
  readonly tlsPrivateKeyFile?: string | undefined;
  /** VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13. Default: VersionTLS12. */
  readonly tlsMinVersion?: string | undefined;
  /** Go's names of cipher suites for TLS 1.2. Default: those that Go offers. */
  readonly tlsCipherSuites?: readonly string[] | undefined;
  /** Certificates by the name that clients ask for: `foo.crt,foo.key` or `foo.crt,foo.key:*.foo.com,foo.com`. Default: none. */
  readonly tlsSNICertKeys?: readonly string[] | undefined;
  /** The most concurrent requests of one HTTP/2 connection. Default: 0, which means 100, or 1000 with a delegate. */
  readonly http2MaxStreamsPerConnection?: number | undefined;
}

/** The address that a server listens on. */
export const bindAddressOf = ({ bindAddress = '127.0.0.1' }: SecureServingOptions): string => bindAddress;
