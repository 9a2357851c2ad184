import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { decodeJson, encodeJson } from '../../../codec/json.ts';
import type { Json } from '../../../machinery/object.ts';
import type { ConversionSpec } from '../shape.ts';

type ClientConfig = NonNullable<NonNullable<ConversionSpec['webhook']>['clientConfig']>;

const timeoutSeconds = 30;
/** Connections that wait for the next call. */
const idleConnections = 8;
const largestAnswer = 512 * 1024 * 1024;

/** Posts JSON to the server that a webhook's client config names. (apiserver pkg/util/webhook/client.go) */
export class WebhookClient {
  readonly #url: URL | string;
  readonly #agent: Agent;

  constructor({ url, service, caBundle }: ClientConfig) {
    const ca = caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString().trim();
    this.#agent = new Agent({
      keepAlive: true,
      maxFreeSockets: idleConnections,
      ...(ca === '' ? {} : { ca }),
    });
    this.#url =
      url === undefined
        ? `https://${service?.name}.${service?.namespace}.svc:${service?.port ?? 443}${slashed(service?.path ?? '')}`
        : new URL(url);
  }

  /** The decoded answer. @throws Error with Go's words, as far as a client can count on them */
  async post(body: Json): Promise<Json> {
    if (typeof this.#url === 'string') {
      const where = `Post "${this.#url}?timeout=${timeoutSeconds}s"`;
      throw new Error(`${where}: services cannot be reached: this server is not part of a cluster network`);
    }
    const url = new URL(this.#url);
    url.searchParams.set('timeout', `${timeoutSeconds}s`);
    const { status, bytes } = await this.#send(url, encodeJson(body));
    if (status < 200 || status > 299) throw new Error(refusalText(status, bytes));
    return decodeJson(bytes);
  }

  #send(url: URL, body: Uint8Array): Promise<{ status: number; bytes: Buffer }> {
    const send = url.protocol === 'http:' ? plainRequest : request;
    return new Promise((resolve, reject) => {
      const fail = (error: Error & { code?: string }): void =>
        reject(new Error(`Post "${url}": ${errorText(error, url)}`));
      const outgoing = send(
        url,
        {
          method: 'POST',
          ...(url.protocol === 'http:' ? {} : { agent: this.#agent }),
          headers: { 'content-type': 'application/json', accept: 'application/json', 'content-length': body.length },
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        },
        (incoming) => {
          const parts: Buffer[] = [];
          let length = 0;
          incoming.on('data', (part: Buffer) => {
            length += part.length;
            parts.push(part);
            if (length > largestAnswer) incoming.destroy(new Error('the answer is too large'));
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

const slashed = (path: string): string => (path === '' || path.startsWith('/') ? path : `/${path}`);

/** What Go's http client says of an error. */
function errorText(error: Error & { code?: string }, { hostname, port, protocol }: URL): string {
  const address = `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
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
