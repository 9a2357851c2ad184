import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import type { ProxyTransports } from '../../client/proxy/transport.ts';
import type { Dial } from '../../client/transport/dial.ts';
import { proxyUnlessDialed } from '../../client/transport/proxy-environment.ts';
import { Transport } from '../../client/transport/transport.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { AddressOptions } from './connection-info.ts';

/** The TLS credentials for connections between this server and kubelets, as PEM. (KubeletTLSConfig) */
export interface KubeletCredentials {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** The authority that signs kubelets' certificates. Undefined: certificates are not verified. */
  readonly certificateAuthority: string | undefined;
}

export interface KubeletClientOptions extends AddressOptions {
  /** Returns the current node. @throws StatusError 404 */
  readonly node: (name: string) => Promise<Node>;
  readonly dial: Dial | undefined;
  /** The timeout of connecting, in milliseconds. */
  readonly timeout: number | undefined;
  /** Transports for other ports of nodes. */
  readonly transports: ProxyTransports;
  readonly clock: Clock;
}

/** Connections to kubelets. (kubelet/client MakeTransport) */
export class KubeletClient {
  readonly options: KubeletClientOptions;
  #transport: Transport;
  #insecureTransport: Transport;

  constructor(options: KubeletClientOptions, credentials: KubeletCredentials) {
    this.options = options;
    this.#transport = this.#open(credentials);
    this.#insecureTransport = this.#open({ ...credentials, certificateAuthority: undefined });
  }

  get transport(): Transport {
    return this.#transport;
  }

  /** A transport that accepts any certificate. (InsecureSkipTLSVerifyTransport) */
  get insecureTransport(): Transport {
    return this.#insecureTransport;
  }

  /** Sets the credentials of new connections. */
  update(credentials: KubeletCredentials): void {
    this.close();
    this.#transport = this.#open(credentials);
    this.#insecureTransport = this.#open({ ...credentials, certificateAuthority: undefined });
  }

  close(): void {
    this.#transport.retire();
    this.#insecureTransport.retire();
  }

  #open({ certificate: cert, key, certificateAuthority: ca }: KubeletCredentials): Transport {
    const { dial, timeout } = this.options;
    return new Transport({
      dial,
      dialTimeout: timeout,
      proxy: proxyUnlessDialed(dial),
      tls: { ...(cert && { cert, key }), ...(ca === undefined ? { insecure: true } : { ca }) },
    });
  }
}
