import type { ConfigMap } from '../../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { ConfigMapSync, systemNamespace as namespace } from '../config-map-sync.ts';
import type { ControlPlaneContext } from '../context.ts';
import { type ClusterAuthenticationInfo, combinedData } from './cluster-authentication-info.ts';

const name = 'extension-apiserver-authentication';
const interval = 60_000;

/**
 * Publishes in a ConfigMap how this server authenticates clients, which aggregated servers follow.
 * (pkg/controlplane/controller/clusterauthenticationtrust)
 */
export class ClusterAuthenticationTrustController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #info: () => ClusterAuthenticationInfo;
  readonly #work: ConfigMapSync;

  /** @param info as it is now */
  constructor(context: ControlPlaneContext, info: () => ClusterAuthenticationInfo) {
    this.#context = context;
    this.#info = info;
    this.#work = new ConfigMapSync({
      context,
      name,
      interval,
      sync: (configMaps) => this.#sync(configMaps),
      isReason: ({ type }) => type !== 'MODIFIED',
    });
  }

  start(): Promise<void> {
    return this.#work.start();
  }

  /** The information has changed. */
  enqueue(): void {
    this.#work.trigger();
  }

  close(): Promise<void> {
    return this.#work.close();
  }

  async #sync(configMaps: LoopbackClient<ConfigMap>): Promise<void> {
    const current = configMaps.get(namespace, name);
    const data = combinedData(current?.data ?? {}, this.#info(), this.#context.stores.clock.now());
    if (current === undefined) await configMaps.createIfAbsent({ metadata: { namespace, name }, data });
    else if (!equalJson(current.data ?? {}, data)) await this.#update(configMaps, { ...current, data });
  }

  /** What has grown too large is deleted, and begun again. (writeConfigMap) */
  async #update(configMaps: LoopbackClient<ConfigMap>, changed: ConfigMap): Promise<void> {
    try {
      await configMaps.update(changed);
    } catch (error) {
      if (isStatusError(error) && error.status.code === 422 && error.message.includes('Too long')) {
        await configMaps.delete(namespace, name);
      }
      throw error;
    }
  }
}
