import type { ConfigResource, ConfigStore } from '../flowcontrol/config/config-store.ts';
import { flowControlGroup } from '../flowcontrol/objects.ts';
import { formatGroupVersion } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { privilegedGroup } from '../machinery/user-info.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import type { Writer } from '../resources/rest.ts';
import type { ResourceStores } from '../resources/stores.ts';

const user = { name: 'system:apiserver', uid: '', groups: [privilegedGroup], extra: {} };

interface Opened {
  readonly definition: ResourceDefinition;
  readonly store: ResourceStore;
}

/** Flow control's objects at v1, which must be served. */
export async function openConfigStore(stores: ResourceStores): Promise<ConfigStore> {
  const open = async (resource: ConfigResource): Promise<Opened> => {
    const definition = await stores.registry.definition({ group: flowControlGroup, version: 'v1', resource });
    return { definition, store: await stores.of(definition) };
  };
  const [flowschemas, prioritylevelconfigurations] = await Promise.all([
    open('flowschemas'),
    open('prioritylevelconfigurations'),
  ]);
  const opened = { flowschemas, prioritylevelconfigurations };
  return {
    list(resource) {
      const { definition, store } = opened[resource];
      const objects: KubeObject[] = [];
      for (const stored of store.collection.latest().scan()) {
        objects.push(definition.conversion.fromStorage(stored.decode()));
      }
      return objects;
    },
    watch(onChange) {
      const stops = Object.values(opened).map(({ store: { collection } }) =>
        collection.watch({ after: collection.latest().revision, onEvent: onChange }),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    async create(resource, given, manager) {
      const { definition, store } = opened[resource];
      const object = definition.type.prune(given, new PruneContext());
      definition.type.setDefaults(object);
      await store.create(definition, object, '', writerAs(manager));
    },
    async update(resource, name, change, manager) {
      const { definition, store } = opened[resource];
      await store.update(
        definition,
        {
          ...{ namespace: '', name, part: 'main', createIfAbsent: false, requireVersion: false },
          change: (current) => change(structuredClone(current as KubeObject)) ?? (current as KubeObject),
        },
        writerAs(manager),
      );
    },
    async applyStatus(resource, name, status, manager) {
      const { definition, store } = opened[resource];
      const { kind, type } = definition;
      const config = { apiVersion: formatGroupVersion(definition), kind, metadata: { name }, status };
      await store.update(
        definition,
        {
          ...{ namespace: '', name, part: 'status', subresource: 'status', applies: true },
          ...{ createIfAbsent: false, requireVersion: false },
          async change(current) {
            const live = current as KubeObject;
            const managers = await stores.fieldManagers.of(definition, 'status', live);
            const merged = await stores.fieldManagers.run(definition, () =>
              managers.apply(live, config, manager, true),
            );
            return type.prune(merged, new PruneContext());
          },
        },
        writerAs(),
      );
    },
    async remove(resource, name) {
      const { definition, store } = opened[resource];
      await store.delete(definition, { namespace: '', name }, writerAs());
    },
  };
}

function writerAs(fieldManager?: string): Writer {
  return {
    user,
    dryRun: false,
    internal: true,
    ...(fieldManager === undefined ? {} : { fieldManager }),
    warn: () => undefined,
  };
}
