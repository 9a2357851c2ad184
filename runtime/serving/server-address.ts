import { isIPv6 } from 'node:net';
import type { ServerOptions } from '../options/server-options.ts';
import type { ServiceAddress } from '../resources/service-resolver.ts';

/** The addresses of a server. */
export class ServerAddress {
  readonly #externalHostname: string;
  #url: URL | undefined;

  constructor({ advertiseAddress = '', externalHostname }: ServerOptions) {
    this.#externalHostname = externalHostname ?? (isIPv6(advertiseAddress) ? `[${advertiseAddress}]` : advertiseAddress);
  }

  /** Sets the URL of the listener, for example `https://127.0.0.1:6443`. */
  listening(url: string): void {
    this.#url = new URL(url);
  }

  /** Host and port for documents, for example `127.0.0.1:6443`. Empty until the server listens. (ExternalAddress) */
  get external(): string {
    if (this.#url === undefined) return '';
    const { host, port } = this.#url;
    return this.#externalHostname ? `${this.#externalHostname}:${port}` : host;
  }

  /** The address at which the server reaches itself. Undefined until it listens. */
  get loopback(): ServiceAddress | undefined {
    if (this.#url === undefined) return undefined;
    const { hostname, port } = this.#url;
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
  }
}
