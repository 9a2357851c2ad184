import { excerpt } from '../../machinery/errors/excerpt.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '../../machinery/object.ts';
import { fromFieldsV1, toFieldsV1 } from '../fieldpath/fields-v1.ts';
import { type Managed, noManagedFields } from './manager.ts';

/** An entry of metadata.managedFields is invalid. */
export class ManagedFieldsError extends Error {
  readonly isManagedFieldsError = true;

  constructor(message: string) {
    super(excerpt(message));
  }
}

/** Returns the same object if it has no managed fields. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Decodes metadata.managedFields. (apimachinery managedfields/internal/managedfields.go)
 *
 * @throws ManagedFieldsError
 */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | null | undefined): Managed {
  const managed = noManagedFields();
  for (const [index, entry] of (entries ?? []).entries()) {
    const { operation, apiVersion = '', time } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new ManagedFieldsError('operation must be `Apply` or `Update`');
    }
    if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
    requireFieldsType(entry.fieldsType ?? '', index);
    const identifier = buildManagerIdentifier(entry);
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
    const { message } = error as Error;
    throw new ManagedFieldsError(`error decoding versioned set from ${manager}: error decoding set: ${message}`);
  }
}

/** Encodes metadata.managedFields, sorted; returns undefined if there are no managers. */
export function encodeManagedFields({ fields, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (fields.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const [identifier, { set, apiVersion, applied }] of fields) {
    const { manager, operation, subresource } = parseManagerIdentifier(identifier) ?? {};
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
    compareStrings(a.operation ?? '', b.operation ?? '') ||
    unixSeconds(a.time) - unixSeconds(b.time) ||
    compareStrings(a.manager ?? '', b.manager ?? '') ||
    compareStrings(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareStrings(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Returns seconds since 1970, or 0 without a time. */
export function unixSeconds(time: string | undefined): number {
  return time ? Math.floor(Date.parse(time) / 1000) : 0;
}

/** Returns the identifier of a manager, as JSON. It includes the version only for updates. (BuildManagerIdentifier) */
export function buildManagerIdentifier({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return JSON.stringify({
    ...(manager ? { manager } : {}),
    ...(operation ? { operation } : {}),
    ...(apiVersion && operation !== 'Apply' ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });
}

/** Returns undefined if this is not a manager identifier. */
export function parseManagerIdentifier(identifier: string): ManagedFieldsEntry | undefined {
  try {
    const entry: unknown = JSON.parse(identifier);
    return typeof entry === 'object' && entry !== null ? (entry as ManagedFieldsEntry) : undefined;
  } catch {
    return undefined;
  }
}
