import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { WebhookClientConfig } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { decodeJson } from '../../../codec/json.ts';
import type { Json } from '../../../machinery/object.ts';
import type { ServiceEndpoint, ServiceResolver } from './service-resolver.ts';

const timeoutSeconds = 30;
/** How many idle connections are kept open. */
const maxIdleConnections = 8;
/** A response may have this many times the bytes of its request, and 1 MiB more. (upstream: no limit) */
const maxGrowthFactor = 4;
const maxExtraBytes = 1024 * 1024;

/** Posts JSON to the server of a webhook's client config. (apiserver pkg/util/webhook/client.go) */
export class WebhookClient {
  readonly #url: URL;
  readonly #agent: Agent;
  /** For services: where to connect, in place of the URL's host. */
  readonly #endpoint: (() => Promise<ServiceEndpoint>) | undefined;

  constructor({ url, service, caBundle }: WebhookClientConfig, resolve: ServiceResolver) {
    const ca = caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString().trim();
    this.#agent = new Agent({
      keepAlive: true,
      maxFreeSockets: maxIdleConnections,
      ...(ca === '' ? {} : { ca }),
    });
    const { name = '', namespace = '', port = 443, path = '' } = service ?? {};
    this.#url = new URL(url ?? `https://${name}.${namespace}.svc:${port}${withLeadingSlash(path)}`);
    this.#endpoint = url === undefined ? () => resolve(namespace, name, port) : undefined;
  }

  /**
   * Returns the decoded response. Fails if the response is much larger than the request, because converted objects have
   * about the size of the originals.
   *
   * @throws Error with Go's message, where clients may depend on it
   */
  async post(body: Uint8Array): Promise<Json> {
    const url = new URL(this.#url);
    url.searchParams.set('timeout', `${timeoutSeconds}s`);
    const endpoint = await this.#endpoint?.().catch((error: Error) => {
      throw new Error(`Post "${urlWithPort(url)}": ${error.message}`);
    });
    const { status, bytes } = await this.#send(url, endpoint, body);
    if (status < 200 || status > 299) throw new Error(statusError(status, bytes));
    return decodeJson(bytes);
  }

  #send(url: URL, endpoint: ServiceEndpoint | undefined, body: Uint8Array): Promise<{ status: number; bytes: Buffer }> {
    const send = url.protocol === 'http:' ? plainRequest : request;
    return new Promise((resolve, reject) => {
      const fail = (error: Error & { code?: string }): void =>
        reject(new Error(`Post "${endpoint ? urlWithPort(url) : url}": ${goErrorMessage(error, url, endpoint)}`));
      const outgoing = send(
        url,
        {
          method: 'POST',
          ...(url.protocol === 'http:' ? {} : { agent: this.#agent }),
          // the certificate is issued for the service's name, not for its address
          ...(endpoint && {
            host: endpoint.host,
            hostname: endpoint.host,
            port: endpoint.port,
            servername: url.hostname,
          }),
          headers: { 'content-type': 'application/json', accept: 'application/json', 'content-length': body.length },
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          const maxLength = maxGrowthFactor * body.length + maxExtraBytes;
          let length = 0;
          incoming.on('data', (chunk: Buffer) => {
            length += chunk.length;
            chunks.push(chunk);
            if (length > maxLength) incoming.destroy(new Error(`the response is larger than ${maxLength} bytes`));
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, bytes: Buffer.concat(chunks) }));
          incoming.on('error', fail);
        },
      );
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  }
}

/** The URL of a service, which names even the default port. */
function urlWithPort(url: URL): string {
  return url.port === '' ? url.href.replace(url.host, `${url.host}:443`) : url.href;
}

const withLeadingSlash = (path: string): string => (path === '' || path.startsWith('/') ? path : `/${path}`);

/** The message of Go's HTTP client for an error. */
function goErrorMessage(error: Error & { code?: string }, url: URL, service?: ServiceEndpoint): string {
  const hostname = service?.host ?? url.hostname;
  const address = `${hostname}:${service?.port ?? (url.port || (url.protocol === 'http:' ? 80 : 443))}`;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  switch (error.code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    default:
      return error.message;
  }
}

/** The message of a Status, or of Go's client for any other response. (client-go rest/request.go) */
function statusError(status: number, bytes: Buffer): string {
  try {
    const { kind, message } = decodeJson(bytes) as { kind?: string; message?: string };
    if (kind === 'Status' && message) return message;
  } catch {
    // not JSON
  }
  if (status === 404) return 'the server could not find the requested resource';
  return status >= 500
    ? `an error on the server (${JSON.stringify(bytes.toString().trim() || 'unknown')}) has prevented the request from succeeding`
    : `the server rejected our request for an unknown reason`;
}
