import type { WebhookClientConfig } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { parseGoURL } from '../../machinery/go/url.ts';
import { splitURLHost } from '../../machinery/go/url-host.ts';
import type { JsonObject } from '../../machinery/object.ts';
import { isLoopback, parseAddressSloppy } from '../../machinery/scalars/netip.ts';
import { credentials } from '../credentials.ts';
import type { ClientCredentials } from '../options.ts';
import type { Address } from '../transport/dial.ts';
import { proxyFromEnvironment } from '../transport/proxy-environment.ts';
import { RESTClient } from '../transport/rest-client.ts';
import { Transport } from '../transport/transport.ts';
import { tlsClientConfig } from '../transport.ts';
import { decodeReview } from './review.ts';
import type { ServiceResolver } from './service-resolver.ts';
import { caBundleProblem } from './validation.ts';

const defaultTimeout = 30_000;
/** The maximum length of a response: this many times the bytes of its request, plus 1 MiB. (upstream: no limit) */
const maxGrowthFactor = 4;
const maxExtraBytes = 1024 * 1024;
/** The maximum number of concurrent calls of one webhook. Others wait, within their timeouts. (upstream: no limit) */
const maxRequests = 64;
const defaultUserAgent = 'kube-apiserver-admission';

export interface PostOptions {
  /** Milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Default: four times the bytes of the request, plus 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Receives the body of a response before decoding. Its error ends the call. */
  readonly inspect?: (body: Buffer) => void;
}

/** Posts JSON to the server of a webhook's client config. (apiserver pkg/util/webhook/client.go) */
export class WebhookClient {
  readonly #client: RESTClient;

  /** @param user default: no credentials. @throws Error if the caBundle has no certificate */
  constructor({ url, service, caBundle }: WebhookClientConfig, resolve: ServiceResolver, user: ClientCredentials = {}) {
    const problem = caBundleProblem(caBundle ?? '');
    if (problem !== undefined) throw new Error(problem);
    const bundle = caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString('latin1').trim();
    const { name = '', namespace = '', port = 443, path = '' } = service ?? {};
    const serverName = `${name}.${namespace}.svc`;
    const host = `${serverName}:${port}`;
    const tls = tlsClientConfig(bundle === '' ? user : { ...user, ca: bundle });
    this.#client = new RESTClient({
      url: url ?? `https://${host}${encodeURI(path.replace(/^\/*/, '/'))}`,
      transport: new Transport({
        tls: {
          ...tls,
          ...(url === undefined && { serverName: tls.serverName ?? serverName }),
          // a shared connection would send all requests to one of several servers
          ...(!isLocal(url) && { nextProtos: ['http/1.1'] }),
        },
        proxy: proxyFromEnvironment(),
      }),
      resolve:
        url === undefined ? (asked) => (asked === host ? (resolve(namespace, name, port) as Promise<Address>) : undefined) : undefined,
      credentials: credentials(user),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        'user-agent': user.userAgent ?? defaultUserAgent,
        ...user.headers,
      },
      maxRequests,
    });
  }

  /**
   * Returns the decoded response. A response much larger than the request fails: converted objects and patches have
   * about the size of the originals.
   *
   * @throws NetworkError, ResponseError, DecodeError with Go's message, where clients may depend on it
   */
  async post(body: Uint8Array, options: PostOptions = {}): Promise<JsonObject> {
    const { timeout = defaultTimeout, maxResponseBytes = maxGrowthFactor * body.length + maxExtraBytes } = options;
    const response = await this.#client.post(body, { timeout, maxResponseBytes });
    options.inspect?.(response.body);
    return decodeReview(response);
  }
}

/** (client.go isLocalHost) */
function isLocal(url: string | undefined): boolean {
  const { name } = splitURLHost(parseGoURL(url ?? '')?.host ?? '');
  const ip = parseAddressSloppy(name);
  return name.toLowerCase() === 'localhost' || (ip !== undefined && isLoopback(ip));
}
