import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import type { ListedObject } from './exact-list.ts';

/** Who wrote an object, by its managed fields. */
export interface Writer {
  readonly time: string | undefined;
  readonly managers: readonly string[];
  readonly operation: string | undefined;
}

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  /** Absent from those of `scale`. */
  readonly time?: string;
  readonly fieldsV1?: Json;
}

/**
 * The managers of a write: those with more fields or a newer time. If there are none, those that have given up fields.
 *
 * @param previous Default: whoever wrote last, by the times
 */
export function writerOf(object: ListedObject, previous: ListedObject | undefined): Writer {
  const entries = entriesOf(object);
  const writers = previous === undefined ? newest(entries) : changedEntries(entries, entriesOf(previous));
  const [{ time, operation, subresource } = {} as ManagedFieldsEntry] = newest(writers);
  return {
    time,
    managers: [...new Set(writers.map(({ manager = '' }) => manager))],
    operation: [operation, subresource].filter(Boolean).join(' ') || undefined,
  };
}

function changedEntries(after: readonly ManagedFieldsEntry[], before: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const known = new Map(before.map((entry) => [nameOf(entry), entry]));
  const changed = after.filter((entry) => JSON.stringify(entry) !== JSON.stringify(known.get(nameOf(entry))));
  const gaining = changed.filter((entry) => {
    const old = known.get(nameOf(entry));
    return old === undefined || old.time !== entry.time || gains(old.fieldsV1, entry.fieldsV1);
  });
  return gaining.length === 0 ? changed : gaining;
}

/** Those with the newest time; all if none has a time. */
function newest(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const [time] = entries
    .flatMap((entry) => entry.time ?? [])
    .sort()
    .slice(-1);
  return entries.filter((entry) => entry.time === time);
}

const nameOf = ({ manager, operation, subresource }: ManagedFieldsEntry): string => [manager, operation, subresource].join(' ');

/** Whether FieldsV1 has a field that it did not have. */
function gains(before: Json | undefined, after: Json | undefined): boolean {
  if (!isJsonObject(after)) return false;
  if (!isJsonObject(before)) return true;
  return Object.keys(after).some((name) => !(name in before) || gains(before[name], after[name]));
}

const entriesOf = (object: ListedObject | undefined): readonly ManagedFieldsEntry[] =>
  (object?.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
