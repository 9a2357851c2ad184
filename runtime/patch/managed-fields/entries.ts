import { excerpt } from '../../machinery/errors/excerpt.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { JsonObject, ManagedFieldsEntry } from '../../machinery/object.ts';
import { fromFieldsV1, toFieldsV1 } from '../field-set/fields-v1.ts';
import { compareText } from '../field-set/value-order.ts';
import { managerIdentifier, parseIdentifier } from './identifier.ts';
import { type Managed, noManagers } from './manager.ts';

/** An entry of metadata.managedFields that cannot be read. */
export class ManagedFieldsError extends Error {
  readonly isManagedFieldsError = true;

  constructor(message: string) {
    super(excerpt(message));
  }
}

/** Reads metadata.managedFields. @throws ManagedFieldsError */
export function decodeEntries(entries: readonly ManagedFieldsEntry[] | null | undefined): Managed {
  const managed = noManagers();
  for (const [index, entry] of (entries ?? []).entries()) {
    const { operation, apiVersion = '', time } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new ManagedFieldsError('operation must be `Apply` or `Update`');
    }
    if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
    requireFieldsType(entry.fieldsType ?? '', index);
    const identifier = managerIdentifier(entry);
    managed.fields.set(identifier, { set: decodeSet(entry), apiVersion, applied: operation === 'Apply' });
    if (time) managed.times.set(identifier, time);
    else managed.times.delete(identifier);
  }
  return managed;
}

function requireFieldsType(type: string, index: number): void {
  if (type === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (type !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType ${quote(type)} in managed fields entry ${index}`);
  }
}

function decodeSet({ manager = '', fieldsV1 }: ManagedFieldsEntry) {
  try {
    return fromFieldsV1(fieldsV1);
  } catch (error) {
    const why = (error as Error).message;
    throw new ManagedFieldsError(`error decoding versioned set from ${manager}: error decoding set: ${why}`);
  }
}

/** Writes metadata.managedFields, in its order; undefined when nobody owns anything. */
export function encodeEntries({ fields, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (fields.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const [identifier, { set, apiVersion, applied }] of fields) {
    const { manager, operation, subresource } = parseIdentifier(identifier) ?? {};
    const time = times.get(identifier);
    const kind = applied ? 'Apply' : operation;
    entries.push({
      ...(manager ? { manager } : {}),
      ...(kind ? { operation: kind } : {}),
      apiVersion,
      ...(time ? { time } : {}),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(set) as JsonObject,
      ...(subresource ? { subresource } : {}),
    });
  }
  return entries.sort(compareEntries);
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Since the Unix epoch; 0 for no time. */
export function secondsOf(time: string | undefined): number {
  return time ? Math.floor(Date.parse(time) / 1000) : 0;
}
