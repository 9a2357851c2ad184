import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { decodeJson } from '../../../codec/json.ts';
import type { Json } from '../../../machinery/object.ts';
import type { ConversionSpec } from '../api-helpers.ts';
import type { ServiceEndpoint, ServiceResolver } from './service-resolver.ts';

type ClientConfig = NonNullable<NonNullable<ConversionSpec['webhook']>['clientConfig']>;

const timeoutSeconds = 30;
/** Connections that wait for the next call. */
const idleConnections = 8;
/** An answer may have this many times the bytes of what was asked, and some more. (upstream: no limit) */
const growth = 4;
const spareBytes = 1024 * 1024;

/** Posts JSON to the server that a webhook's client config names. (apiserver pkg/util/webhook/client.go) */
export class WebhookClient {
  readonly #url: URL;
  readonly #agent: Agent;
  /** Where the connection goes instead of the URL's host: of services. */
  readonly #address: (() => Promise<ServiceEndpoint>) | undefined;

  constructor({ url, service, caBundle }: ClientConfig, resolve: ServiceResolver) {
    const ca = caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString().trim();
    this.#agent = new Agent({
      keepAlive: true,
      maxFreeSockets: idleConnections,
      ...(ca === '' ? {} : { ca }),
    });
    const { name = '', namespace = '', port = 443, path = '' } = service ?? {};
    this.#url = new URL(url ?? `https://${name}.${namespace}.svc:${port}${slashed(path)}`);
    this.#address = url === undefined ? () => resolve(namespace, name, port) : undefined;
  }

  /**
   * The decoded answer to JSON. An answer that is far larger than what was asked ends the call: objects that are converted
   * say the same in other words.
   *
   * @throws Error with Go's words, as far as a client can count on them
   */
  async post(body: Uint8Array): Promise<Json> {
    const url = new URL(this.#url);
    url.searchParams.set('timeout', `${timeoutSeconds}s`);
    const address = await this.#address?.().catch((error: Error) => {
      throw new Error(`Post "${shown(url)}": ${error.message}`);
    });
    const { status, bytes } = await this.#send(url, address, body);
    if (status < 200 || status > 299) throw new Error(refusalText(status, bytes));
    return decodeJson(bytes);
  }

  #send(url: URL, address: ServiceEndpoint | undefined, body: Uint8Array): Promise<{ status: number; bytes: Buffer }> {
    const send = url.protocol === 'http:' ? plainRequest : request;
    return new Promise((resolve, reject) => {
      const fail = (error: Error & { code?: string }): void =>
        reject(new Error(`Post "${address ? shown(url) : url}": ${errorText(error, url, address)}`));
      const outgoing = send(
        url,
        {
          method: 'POST',
          ...(url.protocol === 'http:' ? {} : { agent: this.#agent }),
          // the certificate is the service's, wherever it lives
          ...(address && { host: address.host, hostname: address.host, port: address.port, servername: url.hostname }),
          headers: { 'content-type': 'application/json', accept: 'application/json', 'content-length': body.length },
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        },
        (incoming) => {
          const parts: Buffer[] = [];
          const largest = growth * body.length + spareBytes;
          let length = 0;
          incoming.on('data', (part: Buffer) => {
            length += part.length;
            parts.push(part);
            if (length > largest) incoming.destroy(new Error(`the answer is larger than ${largest} bytes`));
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, bytes: Buffer.concat(parts) }));
          incoming.on('error', fail);
        },
      );
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  }
}

/** A service's URL tells its port even where it is the usual one. */
function shown(url: URL): string {
  return url.port === '' ? url.href.replace(url.host, `${url.host}:443`) : url.href;
}

const slashed = (path: string): string => (path === '' || path.startsWith('/') ? path : `/${path}`);

/** What Go's http client says of an error. */
function errorText(error: Error & { code?: string }, url: URL, service?: ServiceEndpoint): string {
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

/** A Status says it itself; of anything else there is the code. (client-go rest/request.go) */
function refusalText(status: number, bytes: Buffer): string {
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
