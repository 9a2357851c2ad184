import type { Clock } from '../../machinery/clock.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { credentials } from '../credentials.ts';
import type { ClientOptions } from '../options.ts';
import type { HTTPResponse } from '../transport/http-client.ts';
import { RESTClient } from '../transport/rest-client.ts';
import { isResponseError } from '../transport/rest-error.ts';
import { Transport } from '../transport/transport.ts';
import { proxyOf, tlsClientConfig } from '../transport.ts';
import { type Backoff, withExponentialBackoff } from './backoff.ts';
import { decodeReview } from './review.ts';

/** The timeout in milliseconds. Kubeconfigs cannot set it. (apiserver pkg/util/webhook defaultRequestTimeout) */
const defaultRequestTimeout = 30_000;
const defaultMaxResponseBytes = 1024 * 1024;

export interface GenericWebhookOptions {
  /** The server and its credentials, from `loadWebhookKubeconfig`. */
  readonly config: ClientOptions;
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** The timeout of each call, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** The maximum length of a response. A longer one fails. Default: 1 MiB. (upstream: no limit) */
  readonly maxResponseBytes?: number;
  /** Called after each call, without a status if no response came. */
  readonly onCall?: (status: number | undefined, seconds: number) => void;
}

/**
 * Posts reviews and events to the server of a kubeconfig over pooled connections. Temporary failures are repeated.
 * (apiserver pkg/util/webhook GenericWebhook)
 */
export class GenericWebhook {
  readonly #options: GenericWebhookOptions;
  readonly #transport: Transport;
  readonly #client: RESTClient;

  constructor(options: GenericWebhookOptions) {
    this.#options = options;
    const { config } = options;
    this.#transport = new Transport({ tls: tlsClientConfig(config), proxy: proxyOf(config) });
    this.#client = new RESTClient({
      url: config.server,
      keepsEscapes: true,
      transport: this.#transport,
      credentials: credentials(config),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        ...(config.userAgent !== undefined && { 'user-agent': config.userAgent }),
      },
    });
  }

  /**
   * Posts JSON and returns the response's object. Repeats the call with exponential backoff.
   *
   * @param signal ends the call and its repetitions
   * @throws NetworkError or ResponseError of the last call; DecodeError for a response without an object
   */
  post(body: Uint8Array, signal?: AbortSignal): Promise<JsonObject> {
    const { backoff, clock } = this.#options;
    return withExponentialBackoff(() => this.postOnce(body, signal), { backoff, clock, signal });
  }

  /** Posts JSON without repetitions. */
  async postOnce(body: Uint8Array, signal?: AbortSignal): Promise<JsonObject> {
    return decodeReview(await this.#send(body, signal));
  }

  async #send(body: Uint8Array, signal: AbortSignal | undefined): Promise<HTTPResponse> {
    const { timeout = defaultRequestTimeout, maxResponseBytes = defaultMaxResponseBytes, onCall } = this.#options;
    const start = performance.now();
    let status: number | undefined;
    try {
      const response = await this.#client.post(body, { timeout, maxResponseBytes, signal });
      status = response.status;
      return response;
    } catch (error) {
      if (isResponseError(error)) status = error.failure.status;
      throw error;
    } finally {
      onCall?.(status, (performance.now() - start) / 1000);
    }
  }

  /** Closes all connections; calls in progress fail. */
  close(): void {
    this.#transport.close();
  }
}
