import { isIPv6 } from 'node:net';
import type { ServerOptions } from '../options/server-options.ts';
import type { ServiceAddress } from '../resources/service-resolver.ts';

/** Where clients reach a server. */
export class ServerAddress {
  readonly #externalHostname: string;
  #url: URL | undefined;

  constructor({ advertiseAddress = '', externalHostname }: ServerOptions) {
    this.#externalHostname = externalHostname ?? (isIPv6(advertiseAddress) ? `[${advertiseAddress}]` : advertiseAddress);
  }

  /** Says where the server listens, as `https://127.0.0.1:6443`. */
  listening(url: string): void {
    this.#url = new URL(url);
  }

  /** Host and port for documents, as `127.0.0.1:6443`. Empty until the server listens. (ExternalAddress) */
  get external(): string {
    if (this.#url === undefined) return '';
    const { host, port } = this.#url;
    return this.#externalHostname ? `${this.#externalHostname}:${port}` : host;
  }

  /** Where the server reaches itself. Undefined until it listens. */
  get loopback(): ServiceAddress | undefined {
    if (this.#url === undefined) return undefined;
    const { hostname, port } = this.#url;
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
  }
}
