import type { Dial } from '../transport/dial.ts';
import { proxyUnlessDialed } from '../transport/proxy-environment.ts';
import { Transport } from '../transport/transport.ts';

/** The transports to pods, services and nodes. They do not verify certificates. (CreateProxyTransport) */
export class ProxyTransports {
  readonly http: Transport;
  readonly https: Transport;

  constructor(dial?: Dial) {
    const proxy = proxyUnlessDialed(dial);
    this.http = new Transport({ dial, proxy });
    this.https = new Transport({ dial, proxy, tls: { insecure: true } });
  }

  close(): void {
    for (const transport of [this.http, this.https]) transport.retire();
  }
}
