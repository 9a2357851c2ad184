import type { KubeObject } from '../../runtime/machinery/object.ts';
import type { Collection } from '../../runtime/storage/object-store/contract.ts';

/** Freezes shared objects, so that a change of one fails. */
export function holdFrozen(collection: Collection): void {
  const held = new Map<string, KubeObject>();
  collection.holdDecoded((namespace, name) => {
    const key = `${namespace}/${name}`;
    const stored = collection.latest().get(namespace, name);
    let object = held.get(key);
    if (stored !== undefined && object?.metadata.resourceVersion !== String(stored.revision)) {
      object = frozen(stored.decode());
      held.set(key, object);
    }
    return object;
  });
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
