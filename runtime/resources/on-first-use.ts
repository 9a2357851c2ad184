import type { GroupResource } from '../machinery/gvk.ts';
import type { ResourceStore } from './resource-store.ts';
import type { ResourceStores } from './stores.ts';

/**
 * Calls `use` once with the store of a served resource, as soon as it may have objects: at once if it has some,
 * otherwise when its store is opened, or another server writes to it. An unused resource is thus never loaded.
 *
 * @returns a function that ends the waiting
 */
export async function onFirstUse(
  stores: ResourceStores,
  { group, resource, version }: GroupResource & { readonly version: string },
  use: (store: ResourceStore) => void,
): Promise<() => void> {
  const isIt = ({ definition }: ResourceStore): boolean => definition.group === group && definition.resource === resource;
  const opened = stores.allOpen().find(isIt);
  if (opened !== undefined) {
    use(opened);
    return () => undefined;
  }
  const openIfNeeded = async (): Promise<void> => {
    const entry = stores.registry.lookup(group, version, resource);
    if (entry !== undefined && (await stores.hasObjects(entry.facts))) await stores.open(await entry.load());
  };
  const stops = [
    stores.onOpen((store) => {
      if (!isIt(store)) return;
      stop();
      use(store);
    }),
    stores.onUnopenedWrite((written) => {
      if (written !== undefined && (written.group !== group || written.resource !== resource)) return;
      // the next write, here or on another server, tries again
      openIfNeeded().catch(() => undefined);
    }),
  ];
  const stop = (): void => {
    for (const one of stops) one();
  };
  await openIfNeeded();
  return stop;
}
