import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import type { ListedObject } from './exact-list.ts';

/** The writer of an object, from its managedFields. */
export interface Writer {
  readonly time: string | undefined;
  readonly managers: readonly string[];
  readonly operation: string | undefined;
}

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  /** Absent for entries of `scale`. */
  readonly time?: string;
  readonly fieldsV1?: Json;
}

/**
 * Returns the managers of a write: those with more fields or a newer time; otherwise those with fewer fields.
 *
 * @param previous Default: the managers with the newest time
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

/** Returns the entries with the newest time; all entries if none has a time. */
function newest(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const [time] = entries
    .flatMap((entry) => entry.time ?? [])
    .sort()
    .slice(-1);
  return entries.filter((entry) => entry.time === time);
}

const nameOf = ({ manager, operation, subresource }: ManagedFieldsEntry): string => [manager, operation, subresource].join(' ');

/** Reports whether FieldsV1 gained a field. */
function gains(before: Json | undefined, after: Json | undefined): boolean {
  if (!isJsonObject(after)) return false;
  if (!isJsonObject(before)) return true;
  return Object.keys(after).some((name) => !(name in before) || gains(before[name], after[name]));
}

const entriesOf = (object: ListedObject | undefined): readonly ManagedFieldsEntry[] =>
  (object?.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];
