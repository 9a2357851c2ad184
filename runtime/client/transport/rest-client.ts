import { joinPaths } from '../../machinery/go/path.ts';
import { type GoURL, parseGoURL } from '../../machinery/go/url.ts';
import type { Address } from './dial.ts';
import { abortError, HTTPClient, type HTTPRequest, type HTTPResponse, urlError } from './http-client.ts';
import { mediaTypeProblem } from './media-type.ts';
import { NetworkError } from './network-error.ts';
import { isSuccess, ResponseError, responseError, retryAfterOf } from './rest-error.ts';
import type { Transport } from './transport.ts';

/** The headers that authenticate a request. */
export interface Authorization {
  readonly authorization?: string;
}

export interface RESTClientOptions {
  /** The server, and the prefix of all paths. */
  readonly url: string;
  readonly transport: Transport;
  /** `%2F` in the path is not a slash, as in a kubeconfig's server. Default: false. */
  readonly keepsEscapes?: boolean;
  /** Returns the address for a host and port that no resolver knows. */
  readonly resolve?: ((host: string) => Promise<Address> | undefined) | undefined;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns headers that may change. */
  readonly credentials: () => Authorization | Promise<Authorization>;
  /** The maximum number of concurrent requests. Default: no limit. */
  readonly maxRequests?: number;
}

export interface PostOptions {
  /** The timeout of all attempts together, in milliseconds. The server receives it in whole seconds. */
  readonly timeout: number;
  /** The maximum length of a response. A longer one fails. */
  readonly maxResponseBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The maximum retries after responses with Retry-After. (client-go rest maxRetries) */
const maxRetries = 10;

/** A client of one server, like client-go's rest.RESTClient. */
export class RESTClient {
  readonly #options: RESTClientOptions;
  readonly #url: GoURL;
  readonly #client: HTTPClient;
  readonly #room: Room;

  /** @throws Error for an invalid URL */
  constructor(options: RESTClientOptions) {
    this.#options = options;
    const { url, transport, resolve, maxRequests = Number.POSITIVE_INFINITY, keepsEscapes = false } = options;
    const parsed = parseGoURL(url);
    if (parsed === undefined) throw new Error(`parse ${JSON.stringify(url)}: invalid URL`);
    const rawPath = keepsEscapes ? parsed.rawPath : '';
    this.#url = { ...parsed, path: joinPaths('/', parsed.path), rawPath, fragment: '' };
    this.#client = new HTTPClient({ transport, ...(resolve && { resolve }) });
    this.#room = new Room(maxRequests);
  }

  /**
   * Posts a body, and repeats it after each Retry-After. (rest.Request.Do)
   *
   * @throws NetworkError without a response; ResponseError for an unsuccessful response
   */
  async post(body: Uint8Array, { timeout, maxResponseBytes, signal }: PostOptions): Promise<HTTPResponse> {
    const deadline = AbortSignal.timeout(timeout);
    const ended = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const seconds = Math.ceil(timeout / 1000);
    const url = { ...this.#url, query: `?timeout=${secondsText(seconds)}` };
    const leave = await this.#room.enter(ended).catch((error: Error) => {
      throw urlError('POST', url, error);
    });
    try {
      return await this.#repeat({
        method: 'POST',
        url,
        body,
        maxResponseBytes,
        signal: ended,
        headers: { ...this.#options.headers, ...(await this.#options.credentials()) },
      });
    } finally {
      leave();
    }
  }

  async #repeat(request: HTTPRequest): Promise<HTTPResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#client.do(request);
      const isBusy = response.status === 429 || response.status >= 500;
      const seconds = isBusy && attempt <= maxRetries ? retryAfterOf(response) : undefined;
      if (seconds === undefined) return checked(response);
      await elapsed(seconds * 1000, request.signal);
    }
  }
}

/** (rest.Request.transformResponse) */
function checked(response: HTTPResponse): HTTPResponse {
  const { bodyError, headers, status } = response;
  if (bodyError !== undefined) {
    const isStream = bodyError.message.startsWith('stream error:');
    const what = isStream
      ? 'stream error when reading response body, may be caused by closed connection'
      : 'unexpected error when reading response body';
    const text = `${what}. Please retry. Original error: ${bodyError.message}`;
    throw new NetworkError(text, (bodyError as NodeJS.ErrnoException).code);
  }
  const problem = headers['content-type'] === undefined ? undefined : mediaTypeProblem(headers['content-type']);
  if (problem !== undefined) {
    throw new ResponseError(`Internal error occurred: ${problem}`, { status: 500, reason: 'InternalError' });
  }
  if (status !== 101 && !isSuccess(response)) throw responseError(response);
  return response;
}

/** (time.Duration.String) */
function secondsText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, ms));
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** A semaphore: a number of requests run at a time, and the others wait in order. */
class Room {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Resolves with a function that releases the place. @throws NetworkError if the signal aborts first */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#free === 0) await this.#turn(signal);
    else this.#free -= 1;
    return () => {
      const [next] = this.#waiting;
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(admit);
        signal.removeEventListener('abort', abort);
      };
      const admit = (): void => {
        end();
        resolve();
      };
      const abort = (): void => {
        end();
        reject(abortError(signal));
      };
      this.#waiting.add(admit);
      signal.addEventListener('abort', abort);
    });
  }
}
