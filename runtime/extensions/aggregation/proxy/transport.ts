import { X509Certificate } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { ServiceAddress } from '../../../resources/service-resolver.ts';
import type { APIServiceSpec } from '../api-service.ts';
import type { Headers } from './headers.ts';

/** The client certificate of the aggregator and its key, in PEM. */
export interface ProxyCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface OutgoingRequest {
  readonly method: string;
  /** With the query, escaped. */
  readonly path: string;
  readonly headers: Headers;
  /** Whether the connection is for this request alone. */
  readonly ownConnection?: boolean;
}

/** Milliseconds that an idle connection is kept, as in Go. */
const idleTimeout = 90_000;
const maxIdleConnections = 25;
/** The most bytes of the headers of a response. (Go: 10 MiB) */
const maxHeaderSize = 1024 * 1024;

/** TLS connections to the server of an APIService. They are used again, unless the APIService changes. */
export class ServiceTransport {
  /** Why there can be no connections, in Go's words. */
  readonly error: string | undefined;
  /** The transport is the same as long as this is. */
  readonly key: string;
  readonly #agent: Agent;

  constructor(spec: APIServiceSpec, certificate: ProxyCertificate | undefined) {
    this.key = transportKey(spec, certificate);
    const { insecureSkipTLSVerify = false, caBundle = '', service } = spec;
    const ca = Buffer.from(caBundle, 'base64').toString();
    this.error = ca === '' ? undefined : bundleError(ca);
    this.#agent = new Agent({
      ...{ keepAlive: true, maxFreeSockets: maxIdleConnections, timeout: idleTimeout },
      servername: `${service?.name}.${service?.namespace}.svc`,
      rejectUnauthorized: !insecureSkipTLSVerify,
      ...(ca === '' || this.error !== undefined ? {} : { ca }),
      ...(certificate && { cert: certificate.certificate, key: certificate.key }),
    });
  }

  /** Begins a request. Its errors are those of node:https. @throws TypeError for a header that cannot be sent */
  request({ host, port }: ServiceAddress, { method, path, headers, ownConnection }: OutgoingRequest): ClientRequest {
    return request({
      ...{ host, port, method, path },
      ...(ownConnection ? { ...this.#agent.options, agent: false } : { agent: this.#agent }),
      headers: Object.fromEntries(
        [...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
      ),
      setHost: false,
      maxHeaderSize,
    });
  }

  /** Closes idle connections now, and the others when their requests are done. */
  retire(): void {
    this.#agent.maxFreeSockets = 0;
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }
}

/** What decides how connections are made. */
export function transportKey(spec: APIServiceSpec, certificate: ProxyCertificate | undefined): string {
  const { insecureSkipTLSVerify = false, caBundle = '', service } = spec;
  return JSON.stringify([insecureSkipTLSVerify, caBundle, service?.name, service?.namespace, certificate]);
}

/** (client-go transport.TLSConfigFor) */
function bundleError(ca: string): string | undefined {
  try {
    const certificates = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length > 0) return undefined;
  } catch {
    // reported below
  }
  return 'unable to load root certificates: unable to parse bytes as PEM block';
}
