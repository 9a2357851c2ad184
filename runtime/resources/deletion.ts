import type { KubeObject } from '../machinery/object.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import type { ResourceHooks, WriteContext } from './hooks.ts';
import type { ResourceStore } from './resource-store.ts';
import type { Written } from './result.ts';

/** Whether an object whose deletion was announced has nothing left that holds it. */
export function isDeletionDue(object: KubeObject, hooks: ResourceHooks): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  return (
    Boolean(deletionTimestamp) &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    !(hooks.holds?.(object) ?? false)
  );
}

/** The last step of a deletion that finalizers held up. Undefined: the object changed meanwhile. */
export async function finishDeletion(
  store: ResourceStore,
  stored: StoredObject,
  object: KubeObject,
  context: WriteContext,
): Promise<Written | undefined> {
  if (context.dryRun) return { kind: 'object', object };
  const gone = await store.collection.delete(stored.namespace, stored.name, stored.revision);
  if (gone === undefined) return undefined;
  await store.hooks.afterDelete?.(object, context);
  return { kind: 'object', object };
}
