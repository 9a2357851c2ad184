import { equalJson } from '../../machinery/json/equality.ts';
import { type Json, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { kubectlManager, withoutLastApplied } from './last-applied.ts';
import { withoutManagedFields } from './managed-fields.ts';

/**
 * Restores the times of managed fields if a write changes nothing else. Such a write then changes nothing. (apiserver
 * fieldmanager/equality.go IgnoreManagedFieldsTimestampsTransformer)
 *
 * @param next may be changed
 */
export function ignoreManagedFieldsTimestamps(next: KubeObject, old: KubeObject): void {
  const before = old.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length === 0 || before.length !== after.length) return;
  if (after.every((entry, i) => entry.time === before[i]?.time)) return;
  const sameEntries = after.every((entry, i) => equalJson({ ...entry, time: '' } as Json, { ...before[i], time: '' } as Json));
  if (sameEntries && equalExceptManagedFields(next, old)) next.metadata.managedFields = before;
}

/**
 * Reports whether an apply merged nothing into the object. Managed fields may differ, and for the manager kubectl the
 * last-applied annotation. (apimachinery pkg/util/managedfields/internal/structuredmerge.go, lastappliedupdater.go)
 */
export function mergedNothing(applied: KubeObject, live: KubeObject, manager: string): boolean {
  return manager === kubectlManager
    ? equalExceptManagedFields(withoutLastApplied(applied), withoutLastApplied(live))
    : equalExceptManagedFields(applied, live);
}

/** Reports whether objects are equal apart from their managed fields. */
function equalExceptManagedFields(a: KubeObject, b: KubeObject): boolean {
  return equalJson(unstructuredContent(withoutManagedFields(a)), unstructuredContent(withoutManagedFields(b)));
}
