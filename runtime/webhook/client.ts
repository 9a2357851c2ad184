import type { Agent } from 'node:https';
import type { WebhookClientConfig } from '../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { type AuthorizationHeader, credentials } from '../client/credentials.ts';
import type { ClientCredentials } from '../client/options.ts';
import { tlsOptions } from '../client/transport.ts';
import type { JsonObject } from '../machinery/object.ts';
import { responseError } from './error.ts';
import { sendRequest, urlWithPort, webhookAgent } from './http.ts';
import { isSuccess } from './response.ts';
import { decodeReview } from './review.ts';
import type { ServiceEndpoint, ServiceResolver } from './service-resolver.ts';
import { caBundleProblem } from './validation.ts';

const defaultTimeout = 30_000;
/** A response may have this many times the bytes of its request, and 1 MiB more. (upstream: no limit) */
const maxGrowthFactor = 4;
const maxExtraBytes = 1024 * 1024;
/** How many calls of one webhook run at the same time; others wait, within their timeouts. (upstream: no limit) */
const maxConnections = 64;
/** Milliseconds after which an idle connection is closed. (apimachinery pkg/util/net SetTransportDefaults) */
const idleTimeout = 90_000;

export interface PostOptions {
  /** Milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Default: four times the bytes of the request, and 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Sees the body of a response before it is decoded; what it throws ends the call. */
  readonly inspect?: (body: Buffer) => void;
}

/** Posts JSON to the server of a webhook's client config. (apiserver pkg/util/webhook/client.go) */
export class WebhookClient {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: () => AuthorizationHeader | Promise<AuthorizationHeader>;
  /** For services: where to connect, in place of the URL's host. */
  readonly #endpoint: (() => Promise<ServiceEndpoint>) | undefined;

  /** @param user default: nobody. @throws Error if the caBundle has no certificate */
  constructor({ url, service, caBundle }: WebhookClientConfig, resolve: ServiceResolver, user: ClientCredentials = {}) {
    const problem = caBundleProblem(caBundle ?? '');
    if (problem !== undefined) throw new Error(problem);
    const ca = caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString().trim();
    this.#agent = webhookAgent({
      ...{ maxSockets: maxConnections, timeout: idleTimeout },
      ...tlsOptions(ca === '' ? user : { ...user, ca }),
    });
    const { name = '', namespace = '', port = 443, path = '' } = service ?? {};
    this.#url = new URL(url ?? `https://${name}.${namespace}.svc:${port}${withLeadingSlash(path)}`);
    this.#endpoint = url === undefined ? () => resolve(namespace, name, port) : undefined;
    this.#credentials = credentials(user);
    this.#headers = {
      ...{ 'content-type': 'application/json', accept: 'application/json' },
      ...(user.userAgent && { 'user-agent': user.userAgent }),
      ...user.headers,
    };
  }

  /**
   * Returns the decoded response. Fails if the response is much larger than the request, because converted objects and
   * patches have about the size of the originals.
   *
   * @throws WebhookError, DecodeError with Go's message, where clients may depend on it
   */
  async post(body: Uint8Array, options: PostOptions = {}): Promise<JsonObject> {
    const { timeout = defaultTimeout } = options;
    const url = new URL(this.#url);
    url.searchParams.set('timeout', `${Math.ceil(timeout / 1000)}s`);
    const endpoint = await this.#endpoint?.().catch((error: Error) => {
      throw new Error(`Post "${urlWithPort(url)}": ${error.message}`);
    });
    const response = await sendRequest({
      ...{ method: 'POST', url, agent: this.#agent, endpoint, body, timeout },
      headers: { ...this.#headers, ...(await this.#credentials()) },
      maxResponseBytes: options.maxResponseBytes ?? maxGrowthFactor * body.length + maxExtraBytes,
    });
    if (!isSuccess(response)) throw responseError(response);
    options.inspect?.(response.body);
    return decodeReview(response);
  }
}

const withLeadingSlash = (path: string): string => (path === '' || path.startsWith('/') ? path : `/${path}`);
