import { request as plainRequest } from 'node:http';
import { Agent, type AgentOptions, request as secureRequest } from 'node:https';
import type { PeerCertificate } from 'node:tls';
import { WebhookError } from './error.ts';
import type { WebhookResponse } from './response.ts';
import type { ServiceEndpoint } from './service-resolver.ts';

/** How many idle connections to one server are kept open. */
const maxIdleConnections = 8;

export interface WebhookRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Connections to https URLs, from `webhookAgent`. */
  readonly agent: Agent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Where to connect, in place of the URL's host, whose name the certificate must still have. */
  readonly endpoint?: ServiceEndpoint;
  /** Milliseconds until the whole response must have arrived. */
  readonly timeout: number;
  /** A longer response fails. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal;
}

/** Connections that are used again. */
export const webhookAgent = (options: AgentOptions = {}): Agent =>
  new Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections, ...options });

/**
 * Sends a request and reads its response, whatever its status. Redirects are responses too: they are not followed, so
 * that credentials stay with the configured server.
 *
 * @throws WebhookError
 */
export async function sendRequest(request: WebhookRequest): Promise<WebhookResponse> {
  const response = await attempt(request, true);
  // the server had closed an idle connection while the request was on its way
  return response === 'stale' ? ((await attempt(request, false)) as WebhookResponse) : response;
}

function attempt(sent: WebhookRequest, mayBeStale: boolean): Promise<WebhookResponse | 'stale'> {
  const { method, url, agent, endpoint, body, maxResponseBytes } = sent;
  const isPlain = url.protocol === 'http:';
  const send = isPlain ? plainRequest : secureRequest;
  const timeout = AbortSignal.timeout(sent.timeout);
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method,
        ...(isPlain ? {} : { agent }),
        ...(endpoint && {
          host: endpoint.host,
          hostname: endpoint.host,
          port: endpoint.port,
          servername: url.hostname,
        }),
        headers: {
          ...(endpoint && { host: `${url.hostname}:${url.port || 443}` }),
          ...sent.headers,
          ...(body && { 'content-length': body.length }),
        },
        signal: sent.signal === undefined ? timeout : AbortSignal.any([sent.signal, timeout]),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let length = 0;
        incoming.on('data', (chunk: Buffer) => {
          length += chunk.length;
          chunks.push(chunk);
          if (length > maxResponseBytes) {
            incoming.destroy(new Error(`the response is larger than ${maxResponseBytes} bytes`));
          }
        });
        incoming.on('end', () => {
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
        });
        incoming.on('error', fail);
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = mayBeStale && outgoing.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) resolve('stale');
      else fail(error);
    });
    outgoing.end(body);

    function fail(error: NodeJS.ErrnoException): void {
      const verb = method === 'GET' ? 'Get' : 'Post';
      const target = endpoint ? urlWithPort(url) : url.href;
      const message = `${verb} "${target}": ${goErrorMessage(error, url, endpoint)}`;
      reject(new WebhookError(message, { connection: error.code }));
    }
  });
}

/** The URL of a service, which names even the default port. */
export function urlWithPort(url: URL): string {
  return url.port === '' ? url.href.replace(url.host, `${url.host}:443`) : url.href;
}

/** The same for an error of a connection over TLS to a server that is known by its address, which need not make a URL. */
export const goConnectionMessage = (error: NodeJS.ErrnoException, { host, port }: ServiceEndpoint): string =>
  goErrorMessage(error, { hostname: host, port: String(port), protocol: 'https:' }, { host, port });

/** The message of Go's HTTP client for an error of a connection. */
export function goErrorMessage(
  error: NodeJS.ErrnoException,
  url: Pick<URL, 'hostname' | 'port' | 'protocol'>,
  service?: ServiceEndpoint,
): string {
  const hostname = service?.host ?? url.hostname;
  const address = `${hostname}:${service?.port ?? (url.port || (url.protocol === 'http:' ? 80 : 443))}`;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  const certificate = certificateError(error);
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  switch (error.code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${address}: connect: no route to host`;
    case 'ENETUNREACH':
      return `dial tcp ${address}: connect: network is unreachable`;
    case 'ETIMEDOUT':
      return `dial tcp ${address}: i/o timeout`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'ERR_SOCKET_BAD_PORT':
      return `dial tcp: address ${service?.port ?? url.port}: invalid port`;
    case 'ERR_INVALID_CHAR':
      return error.message.replace(/^Invalid character in header content \["(.*)"\]$/, invalidHeader);
    default:
      return error.message;
  }
}

const invalidHeader = (_message: string, name: string): string =>
  `net/http: invalid header field value for "${name.replace(/(?<![a-z])[a-z]/g, (char) => char.toUpperCase())}"`;

/** What is wrong with a certificate, in the words of crypto/x509. */
function certificateError(
  error: NodeJS.ErrnoException & { host?: string; cert?: PeerCertificate },
): string | undefined {
  switch (error.code) {
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_SIGNATURE_FAILURE':
      return 'certificate signed by unknown authority';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'certificate has expired or is not yet valid';
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const names = (error.cert?.subjectaltname ?? '').match(/(?<=^|, )(?:DNS|IP Address):[^,]*/g) ?? [];
      const valid = names.map((name) => name.slice(name.indexOf(':') + 1)).join(', ');
      if (valid === '') return `certificate is not valid for any names, but wanted to match ${error.host}`;
      return `certificate is valid for ${valid}, not ${error.host}`;
    }
    default:
      return undefined;
  }
}
