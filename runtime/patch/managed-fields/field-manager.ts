import type { Clock } from '../../machinery/clock.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/gvk.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { isConflictError } from '../apply/managers.ts';
import type { Converter } from '../apply/typed-object.ts';
import { type FieldFilters, Updater } from '../apply/updater.ts';
import { buildManagerInfo } from './build-manager-info.ts';
import { capManagers } from './cap-managers.ts';
import { conflictStatus } from './conflict.ts';
import { decodeEntries, encodeEntries } from './entries.ts';
import { upgradeFromLastApplied } from './last-applied-manager.ts';
import { updateLastApplied } from './last-applied-updater.ts';
import { type Managed, type Manager, noManagers } from './manager.ts';
import { skipNonApplied } from './skip-non-applied.ts';
import { stripMeta } from './strip-meta.ts';
import { StructuredMerge } from './structured-merge.ts';
import { updateTimes } from './update-times.ts';
import { checkVersion } from './version-check.ts';

/** An object at another version with the schema of that version. */
export interface ConvertedObject {
  readonly object: KubeObject;
  readonly merge: MergeSchema;
}

export interface FieldManagerOptions {
  readonly merge: MergeSchema;
  /** Of the request: what objects passed in have. */
  readonly gvk: GroupVersionKind;
  /** "" for the resource itself. */
  readonly subresource?: string;
  /** What a write through this endpoint may own. */
  readonly resetFields?: FieldFilters;
  /**
   * To another version of the same kind, as `apps/v1`; undefined when that is not known. Must not change its argument.
   * An error with the mark `isMissingConversion` ends the work: it will be asked for again.
   */
  convert?(object: KubeObject, apiVersion: string): ConvertedObject | undefined;
  /** An object with nothing in it, in the form that Go writes: with the empty fields that are never left out. */
  empty?(): KubeObject;
  readonly clock: Clock;
}

/** Keeps metadata.managedFields of one kind at one version. Objects passed in are not changed, results may share parts with them. */
export interface FieldManager {
  /**
   * `next` as it will be stored, with metadata.managedFields as they follow from the change. `live` is `empty()` for a
   * new object. Entries in `next` win over those of `live`; `[]` and `[{}]` drop all. What cannot be worked out leaves
   * an object without entries, never an error.
   */
  update(live: KubeObject, next: KubeObject, manager: string): KubeObject;
  /**
   * The config laid over `live`, with metadata.managedFields; to be pruned and defaulted as a body would be. The result
   * shares nothing with its arguments.
   * @throws StatusError 400 for a config of another version or with managedFields, 409 for conflicts without `force`,
   * 500 for a config that is not of its type
   */
  apply(live: KubeObject, config: KubeObject, manager: string, force: boolean): KubeObject;
}

/** (apimachinery pkg/util/managedfields NewDefaultFieldManager) */
export function createFieldManager(options: FieldManagerOptions): FieldManager {
  const subresource = options.subresource ?? '';
  const stack = createStack(options, subresource);
  return {
    update(live, next, manager) {
      const managed = subresource === '' ? managedOf(live, next) : readable(live);
      const bare = withoutManagedFields(next);
      try {
        const result = stack.update(withoutManagedFields(live), bare, managed, manager);
        return withManagedFields(result.object, result.managed);
      } catch (error) {
        if (isUnfinished(error)) throw error;
        // an update is not refused for what it does to the bookkeeping (UpdateNoErrors)
        return bare;
      }
    },
    apply(live, config, manager, force) {
      const managed = requireReadable(live);
      try {
        const result = stack.apply(withoutManagedFields(live), config, managed, manager, force);
        return withManagedFields(cloneJson(result.object), result.managed);
      } catch (error) {
        throw isConflictError(error) ? conflictStatus(error.conflicts) : error;
      }
    },
  };
}

function isUnfinished(error: unknown): boolean {
  return (error as { isMissingConversion?: boolean } | undefined)?.isMissingConversion === true;
}

function createStack(options: FieldManagerOptions, subresource: string): Manager {
  const { merge, gvk, clock } = options;
  const apiVersion = formatGroupVersion(gvk);
  const empty = options.empty ?? (() => ({ apiVersion, kind: gvk.kind, metadata: {} }));
  const updater = new Updater({ converter: converterOf(options), filters: options.resetFields });
  let stack = updateTimes(stripMeta(new StructuredMerge(updater, merge, apiVersion)), clock);
  stack = buildManagerInfo(stack, apiVersion, subresource);
  stack = capManagers(stack);
  stack = skipNonApplied(stack, empty);
  stack = upgradeFromLastApplied(stack, merge, apiVersion);
  stack = updateLastApplied(stack);
  return checkVersion(stack, gvk);
}

function converterOf({ convert }: FieldManagerOptions): Converter {
  return {
    convert(typed, apiVersion) {
      if (typed.apiVersion === apiVersion) return typed;
      const converted = convert?.(typed.object, apiVersion);
      return converted && { object: converted.object, apiVersion, schema: converted.merge };
    },
  };
}

/** Entries that a client sent count, where they can be read and are any. (decodeLiveOrNew) */
function managedOf(live: KubeObject, next: KubeObject): Managed {
  const { managedFields } = next.metadata;
  if (isReset(managedFields)) return noManagers();
  try {
    const managed = decodeEntries(managedFields);
    if (managed.fields.size > 0) return managed;
  } catch {
    // those that cannot be read are as good as none
  }
  return readable(live);
}

function readable(live: KubeObject): Managed {
  try {
    return decodeEntries(live.metadata?.managedFields);
  } catch {
    return noManagers();
  }
}

function requireReadable(live: KubeObject): Managed {
  try {
    return decodeEntries(live.metadata?.managedFields);
  } catch (error) {
    throw plainError(`failed to decode managed fields: ${(error as Error).message}`);
  }
}

function isReset(entries: readonly ManagedFieldsEntry[] | null | undefined): boolean {
  if (!entries) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0]).length === 0);
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withManagedFields(object: KubeObject, managed: Managed): KubeObject {
  const managedFields = encodeEntries(managed);
  if (managedFields === undefined) return object;
  return { ...object, metadata: { ...object.metadata, managedFields } };
}
