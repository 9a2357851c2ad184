import type { Json, KubeObject } from '../../machinery/object.ts';
import { jsonEqual } from '../json-value.ts';

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
    jsonEqual({ ...entry, time: '' } as Json, { ...before[i], time: '' } as Json),
  );
  if (sameEntries && jsonEqual(bare(next), bare(old))) next.metadata.managedFields = before;
}

const bare = (object: KubeObject): Json =>
  ({ ...object, metadata: { ...object.metadata, managedFields: undefined } }) as unknown as Json;
