import { equalJson } from '../../machinery/json/equality.ts';
import { type Json, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { withoutManagedFields } from './managed-fields.ts';

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
  if (sameEntries && equalExceptManagedFields(next, old)) next.metadata.managedFields = before;
}

/** Whether objects differ in their managed fields at most. */
export function equalExceptManagedFields(a: KubeObject, b: KubeObject): boolean {
  return equalJson(unstructuredContent(withoutManagedFields(a)), unstructuredContent(withoutManagedFields(b)));
}
