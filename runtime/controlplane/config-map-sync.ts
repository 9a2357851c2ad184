import type { ConfigMap } from '../../generated/v1.35/core/v1/types.ts';
import { PeriodicSync } from '../reconcile/periodic-sync.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ObjectEvent } from '../storage/object-store/contract.ts';
import type { ControlPlaneContext } from './context.ts';

export const systemNamespace = 'kube-system';
const resource = { group: '', version: 'v1', resource: 'configmaps' };

export interface ConfigMapSyncOptions {
  readonly context: ControlPlaneContext;
  /** The name of a ConfigMap in kube-system. */
  readonly name: string;
  /** Milliseconds between syncs without an event. */
  readonly interval: number;
  /** Writes the desired content of the ConfigMap. */
  sync(configMaps: LoopbackClient<ConfigMap>): Promise<void>;
  /** Reports whether a change of the ConfigMap triggers a sync. */
  isReason(event: ObjectEvent): boolean;
}

/** Syncs one ConfigMap of kube-system: at the start, at an interval, and after changes by other clients. */
export class ConfigMapSync {
  readonly #options: ConfigMapSyncOptions;
  readonly #periodic: PeriodicSync;
  #configMaps: LoopbackClient<ConfigMap> | undefined;
  #stop = (): void => undefined;

  constructor(options: ConfigMapSyncOptions) {
    const { context, name, interval } = options;
    this.#options = options;
    this.#periodic = new PeriodicSync({
      clock: context.stores.clock,
      interval,
      sync: async () => this.#configMaps && options.sync(this.#configMaps),
      report: (err) => context.logger.error({ err }, `${systemNamespace}/${name} failed`),
    });
  }

  /** Resolves when the first sync has ended or failed. Does nothing on a server without ConfigMaps. */
  async start(): Promise<void> {
    const { context, name, isReason } = this.#options;
    const { stores } = context;
    if (!stores.serves('', 'v1', 'namespaces') || !stores.serves('', 'v1', 'configmaps')) return;
    this.#configMaps = await LoopbackClient.open<ConfigMap>(stores, resource, loopbackWriter('kube-apiserver'));
    await this.#periodic.start();
    const { collection } = this.#configMaps;
    this.#stop = collection.watch({
      namespace: systemNamespace,
      name,
      after: collection.latest().revision,
      onEvent: (event) => {
        if (isReason(event)) this.trigger();
      },
    });
  }

  /** Schedules a sync. */
  trigger(): void {
    this.#periodic.trigger();
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#periodic.close();
  }
}
