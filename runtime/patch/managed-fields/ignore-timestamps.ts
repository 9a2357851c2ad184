import { equalJson } from '../../machinery/json/equality.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';

/**
 * Restores the times of managed fields if a write changes nothing else, so that it changes nothing at all.
 * (apiserver fieldmanager/equality.go IgnoreManagedFieldsTimestampsTransformer)
 *
 * @param next may be changed
 */
export function ignoreManagedFieldsTimestamps(next: KubeObject, old: KubeObject): void {
  const before = old.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length === 0 || before.length !== after.length) return;
  if (after.every((entry, i) => entry.time === before[i].time)) return;
  const sameEntries = after.every((entry, i) =>
    equalJson({ ...entry, time: '' } as Json, { ...before[i], time: '' } as Json),
  );
  if (sameEntries && equalJson(withoutManagedFields(next), withoutManagedFields(old)))
    next.metadata.managedFields = before;
}

const withoutManagedFields = (object: KubeObject): Json =>
  ({ ...object, metadata: { ...object.metadata, managedFields: undefined } }) as unknown as Json;
