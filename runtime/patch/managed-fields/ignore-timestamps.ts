import { equalJson } from '../../machinery/json/equality.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';

/**
 * A write that changes nothing but times of managed fields changes nothing: they stay as they were. Changes `next`.
 * (apiserver fieldmanager/equality.go IgnoreManagedFieldsTimestampsTransformer)
 */
export function keepTimesOfNoop(next: KubeObject, old: KubeObject): void {
  const before = old.metadata.managedFields ?? [];
  const after = next.metadata.managedFields ?? [];
  if (before.length === 0 || before.length !== after.length) return;
  if (after.every((entry, i) => entry.time === before[i].time)) return;
  const sameEntries = after.every((entry, i) =>
    equalJson({ ...entry, time: '' } as Json, { ...before[i], time: '' } as Json),
  );
  if (sameEntries && equalJson(bare(next), bare(old))) next.metadata.managedFields = before;
}

const bare = (object: KubeObject): Json =>
  ({ ...object, metadata: { ...object.metadata, managedFields: undefined } }) as unknown as Json;
