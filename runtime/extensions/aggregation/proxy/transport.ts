import { X509Certificate } from 'node:crypto';
import { proxyFromEnvironment } from '../../../client/transport/proxy-environment.ts';
import { Transport } from '../../../client/transport/transport.ts';
import type { APIServiceSpec } from '../api-service.ts';

/** The client certificate of the aggregator and its key, in PEM. */
export interface ProxyCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** TLS connections to the server of an APIService. They are reused until the APIService changes. */
export class ServiceTransport extends Transport {
  /** The reason why no connection is possible, in Go's words. */
  readonly error: string | undefined;
  /** Identifies the facts that the connections depend on. */
  readonly key: string;

  constructor(spec: APIServiceSpec, certificate: ProxyCertificate | undefined) {
    const { insecureSkipTLSVerify = false, caBundle = '', service } = spec;
    const ca = Buffer.from(caBundle, 'base64').toString();
    const error = ca === '' ? undefined : bundleError(ca);
    super({
      proxy: proxyFromEnvironment(),
      tls: {
        serverName: `${service?.name}.${service?.namespace}.svc`,
        insecure: insecureSkipTLSVerify,
        ...(ca === '' || error !== undefined ? {} : { ca }),
        ...(certificate && { cert: certificate.certificate, key: certificate.key }),
      },
    });
    this.error = error;
    this.key = transportKey(spec, certificate);
  }
}

/** Returns a key for the facts that connections depend on. */
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
    // the caller reports the error
  }
  return 'unable to load root certificates: unable to parse bytes as PEM block';
}
