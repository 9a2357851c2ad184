import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { listObjects, type OpenResource, openResource } from '../../resources/informer.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { ForcedApply } from '../../resources/write/changes.ts';
import { flowControlGroup } from '../objects.ts';
import type { ConfigResource, ConfigStore } from './config-store.ts';

/** FlowSchemas and PriorityLevelConfigurations in the server's own store, at v1. */
export class FlowControlConfigStore implements ConfigStore {
  readonly #resources: Readonly<Record<ConfigResource, OpenResource>>;

  private constructor(resources: Readonly<Record<ConfigResource, OpenResource>>) {
    this.#resources = resources;
  }

  /** Opens the store. The server must serve both resources at v1. */
  static async open(stores: ResourceStores): Promise<FlowControlConfigStore> {
    const [flowschemas, prioritylevelconfigurations] = await Promise.all([
      openResource(stores, { group: flowControlGroup, version: 'v1', resource: 'flowschemas' }),
      openResource(stores, { group: flowControlGroup, version: 'v1', resource: 'prioritylevelconfigurations' }),
    ]);
    return new FlowControlConfigStore({ flowschemas, prioritylevelconfigurations });
  }

  list(resource: ConfigResource): readonly KubeObject[] {
    return [...listObjects(this.#resources[resource])];
  }

  watch(onChange: () => void): () => void {
    const stops = Object.values(this.#resources).map(({ store: { collection } }) =>
      collection.watch({ after: collection.latest().revision, onEvent: onChange }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }

  async create(resource: ConfigResource, given: KubeObject, manager: string): Promise<void> {
    const { definition, store } = this.#resources[resource];
    const object = definition.type.prune(given, new PruneContext());
    definition.type.setDefaults(object);
    await store.create(definition, object, '', loopbackWriter(manager));
  }

  async update(
    resource: ConfigResource,
    name: string,
    change: (current: KubeObject) => KubeObject | undefined,
    manager: string,
  ): Promise<void> {
    const { definition, store } = this.#resources[resource];
    await store.update(
      definition,
      {
        namespace: '',
        name,
        part: 'main',
        requireVersion: false,
        change: (current) => change(structuredClone(current as KubeObject)) ?? (current as KubeObject),
      },
      loopbackWriter(manager),
    );
  }

  async applyStatus(resource: ConfigResource, name: string, status: object, manager: string): Promise<void> {
    const { definition, store } = this.#resources[resource];
    const config = { apiVersion: formatGroupVersion(definition), kind: definition.kind, metadata: { name }, status };
    await store.update(
      definition,
      {
        namespace: '',
        name,
        part: 'status',
        subresource: 'status',
        requireVersion: false,
        change: new ForcedApply(config, manager),
      },
      loopbackWriter(),
    );
  }

  async remove(resource: ConfigResource, name: string): Promise<void> {
    const { definition, store } = this.#resources[resource];
    await store.delete(definition, { namespace: '', name }, loopbackWriter());
  }
}
