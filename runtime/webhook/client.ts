import type { Agent } from 'node:https';
import type { WebhookClientConfig } from '../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { JsonObject } from '../machinery/object.ts';
import { responseError } from './error.ts';
import { sendRequest, urlWithPort, webhookAgent } from './http.ts';
import { isSuccess } from './response.ts';
import { decodeReview } from './review.ts';
import type { ServiceEndpoint, ServiceResolver } from './service-resolver.ts';

const timeoutSeconds = 30;
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
    this.#agent = webhookAgent(ca === '' ? {} : { ca });
    const { name = '', namespace = '', port = 443, path = '' } = service ?? {};
    this.#url = new URL(url ?? `https://${name}.${namespace}.svc:${port}${withLeadingSlash(path)}`);
    this.#endpoint = url === undefined ? () => resolve(namespace, name, port) : undefined;
  }

  /**
   * Returns the decoded response. Fails if the response is much larger than the request, because converted objects have
   * about the size of the originals.
   *
   * @throws WebhookError, DecodeError with Go's message, where clients may depend on it
   */
  async post(body: Uint8Array): Promise<JsonObject> {
    const url = new URL(this.#url);
    url.searchParams.set('timeout', `${timeoutSeconds}s`);
    const endpoint = await this.#endpoint?.().catch((error: Error) => {
      throw new Error(`Post "${urlWithPort(url)}": ${error.message}`);
    });
    const response = await sendRequest({
      ...{ method: 'POST', url, agent: this.#agent, endpoint, body },
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      timeout: timeoutSeconds * 1000,
      maxResponseBytes: maxGrowthFactor * body.length + maxExtraBytes,
    });
    if (!isSuccess(response)) throw responseError(response);
    return decodeReview(response);
  }
}

const withLeadingSlash = (path: string): string => (path === '' || path.startsWith('/') ? path : `/${path}`);
