import type { ConfigMap } from '../../../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { LoopbackClient } from '../../../resources/loopback-client.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { Controller } from '../../controller.ts';
import { PeriodicSync } from '../../periodic-sync.ts';
import type { ControlPlaneContext } from '../context.ts';
import { type ClusterAuthenticationInfo, combinedData } from './cluster-authentication-info.ts';

const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';
const resource = { group: '', version: 'v1', resource: 'configmaps' };
const interval = 60_000;

/**
 * Publishes in a ConfigMap how this server authenticates clients, which aggregated servers follow.
 * (pkg/controlplane/controller/clusterauthenticationtrust)
 */
export class ClusterAuthenticationTrustController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #info: () => ClusterAuthenticationInfo;
  readonly #periodic: PeriodicSync;
  #configMaps: LoopbackClient<ConfigMap> | undefined;
  #stop: (() => void) | undefined;

  /** @param info as it is now */
  constructor(context: ControlPlaneContext, info: () => ClusterAuthenticationInfo) {
    this.#context = context;
    this.#info = info;
    this.#periodic = new PeriodicSync({
      ...{ clock: context.stores.clock, interval },
      sync: () => this.#sync(),
      report: (err) => context.logger.error({ err }, `${namespace}/${name} failed`),
    });
  }

  async start(): Promise<void> {
    const { stores } = this.#context;
    if (!stores.serves('', 'v1', 'namespaces') || !stores.serves('', 'v1', 'configmaps')) return;
    const writer = loopbackWriter('kube-apiserver');
    const configMaps = await LoopbackClient.open<ConfigMap>(stores, resource, writer);
    this.#configMaps = configMaps;
    await this.#periodic.start();
    const { collection } = configMaps;
    this.#stop = collection.watch({
      ...{ namespace, name, after: collection.latest().revision },
      onEvent: ({ type }) => {
        if (type !== 'MODIFIED') this.#periodic.trigger();
      },
    });
  }

  /** The information has changed. */
  enqueue(): void {
    this.#periodic.trigger();
  }

  async close(): Promise<void> {
    this.#stop?.();
    await this.#periodic.close();
  }

  async #sync(): Promise<void> {
    const configMaps = this.#configMaps;
    if (configMaps === undefined) return;
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
