import type { ConfigMap } from '../../../generated/v1.35/core/v1/types.ts';
import {
  type ConfigMapData,
  certificatesOf,
  type RequestHeaderBundle,
  requestHeaderBundle,
} from '../../authentication/cluster-authentication-info.ts';
import type { RequestHeaderConfig } from '../../authentication/request-header.ts';
import type { CertificatePool } from '../../authentication/x509/ca-bundle.ts';
import type { ClientOptions } from '../../client/options.ts';
import { Reflector } from '../../client/reflector.ts';
import { ResourceClient } from '../../client/resource-client.ts';
import { RestClient } from '../../client/rest-client.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError } from '../../options/server-options.ts';

const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';
const remedy =
  `usually fixed by 'kubectl create rolebinding -n ${namespace} ROLEBINDING_NAME ` +
  "--role=extension-apiserver-authentication-reader --serviceaccount=YOUR_NS:YOUR_SA'";

export interface ClusterAuthenticationTrustOptions {
  readonly config: ClientOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether to look up front proxies, besides the CA of clients. */
  readonly needsRequestHeader: boolean;
  /** Whether a failed lookup at the start is repeated later. (--authentication-tolerate-lookup-failure) */
  readonly toleratesFailure: boolean;
}

/**
 * Follows the CAs of clients and front proxies that the delegate publishes. After an unreadable change, the earlier
 * ones stay in force. (apiserver pkg/server/options DynamicRequestHeaderController, dynamiccertificates
 * ConfigMapCAController)
 */
export class ClusterAuthenticationTrust {
  readonly #options: ClusterAuthenticationTrustOptions;
  readonly #rest: RestClient;
  readonly #listeners: (() => void)[] = [];
  #reflector: Reflector<ConfigMap> | undefined;
  #clientCA: CertificatePool | undefined;
  #requestHeaderCA: CertificatePool | undefined;
  #bundle: RequestHeaderBundle | undefined;
  #requestHeader: RequestHeaderConfig | undefined;
  #read = '';

  private constructor(options: ClusterAuthenticationTrustOptions) {
    this.#options = options;
    this.#rest = new RestClient(options.config);
  }

  /** @throws OptionError if front proxies cannot be looked up; a missing ConfigMap is no error */
  static async open(options: ClusterAuthenticationTrustOptions): Promise<ClusterAuthenticationTrust> {
    const trust = new ClusterAuthenticationTrust(options);
    try {
      await trust.#open();
    } catch (error) {
      trust.close();
      throw error;
    }
    return trust;
  }

  /** The CA of client certificates; undefined until one is found. */
  get clientCA(): CertificatePool | undefined {
    return this.#clientCA;
  }

  /** The trusted front proxies; undefined until a CA is found. */
  get requestHeader(): RequestHeaderConfig | undefined {
    return this.#requestHeader;
  }

  /** Calls `listener` when a CA or a name has changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#reflector?.close();
    this.#rest.close();
  }

  async #open(): Promise<void> {
    const { clock, logger, needsRequestHeader } = this.#options;
    const location = { root: '/api/v1', resource: 'configmaps', apiVersion: 'v1', kind: 'ConfigMap' };
    const source = new ResourceClient<ConfigMap>(this.#rest, location, namespace);
    if (needsRequestHeader) await this.#lookUp(source);
    const reflector = new Reflector<ConfigMap>({
      source,
      clock,
      fieldSelector: `metadata.name=${name}`,
      onError: (err) => logger.warn({ err }, `configmap/${name} in ${namespace} cannot be followed`),
    });
    reflector.onChange(() => this.#take(reflector.get(namespace, name)));
    this.#reflector = reflector;
  }

  async #lookUp(source: ResourceClient<ConfigMap>): Promise<void> {
    const { logger, toleratesFailure } = this.#options;
    try {
      const found = await source.get(name);
      requestHeaderBundle(found.data ?? {});
      this.#take(found);
    } catch (err) {
      const code = isStatusError(err) ? err.status.code : undefined;
      if (code === 404) return;
      if (code === 403) logger.warn({ remedy }, `unable to get configmap/${name} in ${namespace}`);
      const message = `unable to load configmap based request-header-client-ca-file: ${messageOf(err)}`;
      if (!toleratesFailure) throw new OptionError(message);
      logger.warn({ err }, 'continuing without authentication configuration, which may treat all requests as anonymous');
    }
  }

  #take(configMap: ConfigMap | undefined): void {
    if (configMap === undefined) return;
    const { data = {} } = configMap;
    const text = JSON.stringify(data);
    if (text === this.#read) return;
    this.#read = text;
    this.#clientCA = this.#orFormer(this.#clientCA, () => certificatesOf(data, 'client-ca-file'));
    if (this.#options.needsRequestHeader) this.#takeRequestHeader(data);
    for (const listener of this.#listeners) listener();
  }

  #takeRequestHeader(data: ConfigMapData): void {
    this.#bundle = this.#orFormer(this.#bundle, () => requestHeaderBundle(data));
    this.#requestHeaderCA = this.#orFormer(this.#requestHeaderCA, () => certificatesOf(data, 'requestheader-client-ca-file'));
    const [pool, bundle] = [this.#requestHeaderCA, this.#bundle];
    if (pool !== undefined && bundle !== undefined) this.#requestHeader = { pool, ...bundle };
  }

  #orFormer<T>(former: T, read: () => T): T {
    try {
      return read();
    } catch (err) {
      this.#options.logger.warn({ err }, `configmap/${name} in ${namespace} is not valid`);
      return former;
    }
  }
}
