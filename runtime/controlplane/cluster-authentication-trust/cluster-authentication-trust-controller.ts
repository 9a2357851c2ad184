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
 * Publishes this server's authentication settings in a ConfigMap for aggregated servers.
 * (pkg/controlplane/controller/clusterauthenticationtrust)
 */
export class ClusterAuthenticationTrustController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #info: () => ClusterAuthenticationInfo;
  readonly #work: ConfigMapSync;

  /** @param info returns the current settings */
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

  /** Schedules an update after a change of the settings. */
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

  /**
   * Writes the ConfigMap. If it has become too large, deletes it and throws: the retry creates a new one.
   * (writeConfigMap)
   */
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
