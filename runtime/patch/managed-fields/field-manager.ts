import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/gvk.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { type KubeObject, type ManagedFieldsEntry, unstructuredContent } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { isConflictError } from '../merge/conflict.ts';
import { ConversionError, type Converter, isConversionError } from '../merge/converter.ts';
import { type FieldSetFilters, Updater } from '../merge/updater.ts';
import { validateTyped } from '../typed/validate.ts';
import { isValidationErrors } from '../typed/validation-errors.ts';
import { newBuildManagerInfoManager } from './build-manager-info.ts';
import { newCapManagersManager } from './cap-managers.ts';
import { conflictStatus } from './conflict.ts';
import { newLastAppliedManager } from './last-applied-manager.ts';
import { newLastAppliedUpdater } from './last-applied-updater.ts';
import { decodeManagedFields, encodeManagedFields, withoutManagedFields } from './managed-fields.ts';
import { newManagedFieldsUpdater } from './managed-fields-updater.ts';
import { type Managed, type Manager, noManagedFields } from './manager.ts';
import { newSkipNonAppliedManager } from './skip-non-applied.ts';
import { newStripMetaManager } from './strip-meta.ts';
import { StructuredMergeManager } from './structured-merge.ts';
import { newVersionCheckManager } from './version-check.ts';

/** An object converted to another version, with the schema of that version. */
export interface ConvertedObject {
  readonly object: KubeObject;
  readonly merge: MergeSchema;
}

export interface FieldManagerOptions {
  readonly merge: MergeSchema;
  /** The version and kind of the request and of all objects passed in. */
  readonly gvk: GroupVersionKind;
  /** "" for the resource itself. */
  readonly subresource?: string;
  /** The fields that writes to this endpoint may own. */
  readonly resetFields?: FieldSetFilters;
  /**
   * Converts to another version of the same kind, such as `apps/v1`. Returns undefined for an unknown version. Must not
   * change its argument. Throws ConversionError. Errors with `isMissingConversion` pass through to the caller, which
   * retries.
   */
  convert?(object: KubeObject, apiVersion: string): ConvertedObject | undefined;
  /** Returns an object without fields, except for empty fields that Go never omits. */
  empty?(): KubeObject;
  /** Objects of updates were decoded by their type. Default: their values may have other types than the schema says. */
  readonly isDecoded?: boolean;
  readonly clock: Clock;
}

/**
 * Computes metadata.managedFields for one kind at one version. Does not change its arguments. Results may share parts
 * with them.
 */
export interface FieldManager {
  /**
   * Returns `next` with its new metadata.managedFields. The managed fields of `next` take precedence over those of
   * `live`; `[]` and `[{}]` remove all. After any error, the result has no managed fields.
   *
   * @param live `empty()` for a new object
   */
  update(live: KubeObject, next: KubeObject, manager: string): KubeObject;
  /**
   * Applies the configuration to `live` and returns the result with its metadata.managedFields. The result must be
   * pruned and defaulted like a request body. It shares nothing with the arguments.
   *
   * @throws StatusError 400 if the configuration has managed fields or another version, 409 for conflicts without
   *   `force`, 500 if the configuration does not match its schema
   */
  apply(live: KubeObject, config: KubeObject, manager: string, force: boolean): KubeObject;
}

/** (apimachinery pkg/util/managedfields NewDefaultFieldManager) */
export function createFieldManager(options: FieldManagerOptions): FieldManager {
  const subresource = options.subresource ?? '';
  const stack = createStack(options, subresource);
  return {
    update(live, next, manager) {
      const managed = subresource === '' ? decodeLiveOrNew(live, next) : decodeLive(live);
      const nextWithout = withoutManagedFields(next);
      try {
        const result = stack.update(withoutManagedFields(live), nextWithout, managed, manager);
        return withManagedFields(result.object, result.managed);
      } catch (error) {
        if (isMissingConversion(error)) throw error;
        // managed fields never make an update fail (UpdateNoErrors)
        return nextWithout;
      }
    },
    apply(live, config, manager, force) {
      const managed = decodeLiveOrThrow(live);
      try {
        const result = stack.apply({ live: withoutManagedFields(live), config, managed, manager, force });
        return withManagedFields(cloneJson(result.object), result.managed);
      } catch (error) {
        if (isConversionError(error)) throw plainError(error.message);
        throw isConflictError(error) ? conflictStatus(error.conflicts) : error;
      }
    },
  };
}

function isMissingConversion(error: unknown): boolean {
  return (error as { isMissingConversion?: boolean } | undefined)?.isMissingConversion === true;
}

function createStack(options: FieldManagerOptions, subresource: string): Manager {
  const { merge, gvk, clock } = options;
  const apiVersion = formatGroupVersion(gvk);
  const empty = options.empty ?? (() => ({ apiVersion, kind: gvk.kind, metadata: {} }));
  const updater = new Updater({ converter: converterOf(options), filters: options.resetFields });
  let stack = newManagedFieldsUpdater(
    newStripMetaManager(new StructuredMergeManager(updater, merge, apiVersion, options.isDecoded ?? false)),
    clock,
  );
  stack = newBuildManagerInfoManager(stack, apiVersion, subresource);
  stack = newCapManagersManager(stack);
  stack = newSkipNonAppliedManager(stack, empty);
  stack = newLastAppliedManager(stack, merge, apiVersion);
  stack = newLastAppliedUpdater(stack);
  return newVersionCheckManager(stack, gvk);
}

function converterOf({ convert }: FieldManagerOptions): Converter {
  return {
    convert(typed, apiVersion) {
      if (typed.apiVersion === apiVersion) return typed;
      const converted = convert?.(typed.object, apiVersion);
      if (converted === undefined) return undefined;
      requireTyped(converted);
      return { object: converted.object, apiVersion, schema: converted.merge };
    },
  };
}

/** Rejects a converted object with fields that the other version lacks: a conversion need not prune. */
function requireTyped({ object, merge }: ConvertedObject): void {
  try {
    validateTyped(unstructuredContent(object), merge);
  } catch (error) {
    throw isValidationErrors(error) ? new ConversionError(error.message) : error;
  }
}

/** Returns the managed fields of the new object if it has valid ones, else those of the live object. */
function decodeLiveOrNew(live: KubeObject, next: KubeObject): Managed {
  const { managedFields } = next.metadata;
  if (isReset(managedFields)) return noManagedFields();
  try {
    const managed = decodeManagedFields(managedFields);
    if (managed.fields.size > 0) return managed;
  } catch {
    // invalid managed fields count as none
  }
  return decodeLive(live);
}

function decodeLive(live: KubeObject): Managed {
  try {
    return decodeManagedFields(live.metadata?.managedFields);
  } catch {
    return noManagedFields();
  }
}

function decodeLiveOrThrow(live: KubeObject): Managed {
  try {
    return decodeManagedFields(live.metadata?.managedFields);
  } catch (error) {
    throw plainError(`failed to decode managed fields: ${messageOf(error)}`);
  }
}

function isReset(entries: readonly ManagedFieldsEntry[] | null | undefined): boolean {
  if (!entries) return false;
  const [first, ...more] = entries;
  return first === undefined || (more.length === 0 && Object.keys(first).length === 0);
}

function withManagedFields(object: KubeObject, managed: Managed): KubeObject {
  const managedFields = encodeManagedFields(managed);
  if (managedFields !== undefined) return { ...object, metadata: { ...object.metadata, managedFields } };
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
