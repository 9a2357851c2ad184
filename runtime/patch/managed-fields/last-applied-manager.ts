import { parseRawJson } from '../../machinery/json/raw-json.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { type Json, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { ConflictError, isConflictError } from '../merge/conflict.ts';
import { compareTyped } from '../typed/compare.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { validateTyped } from '../typed/validate.ts';
import { kubectlManager, lastAppliedOf } from './last-applied.ts';
import type { Manager } from './manager.ts';

/**
 * Lets kubectl take over, without conflicts, the fields that its client-side apply has set. (apimachinery
 * lastappliedmanager.go)
 */
export function newLastAppliedManager(inner: Manager, schema: MergeSchema, apiVersion: string): Manager {
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, manager),
    apply(request) {
      try {
        return inner.apply(request);
      } catch (error) {
        if (request.manager !== kubectlManager || !isConflictError(error)) throw error;
        const allowed = allowedFields(request.live, schema, apiVersion);
        if (allowed === undefined) throw error;
        const remainingConflicts = error.conflicts.filter(({ path }) => !allowed.has(path));
        const conflicting = FieldSet.of(...error.conflicts.map(({ path }) => path));
        if (!conflicting.difference(allowed).isEmpty) throw new ConflictError(remainingConflicts);
        return inner.apply({ ...request, force: true });
      }
    },
  };
}

/** Returns the fields that still have the values in the annotation; undefined if there is no valid annotation. */
function allowedFields(live: KubeObject, schema: MergeSchema, apiVersion: string): FieldSet | undefined {
  const lastApplied = lastAppliedOf(live);
  if (lastApplied === undefined) return undefined;
  try {
    const applied = parseRawJson(Buffer.from(lastApplied)) as Json;
    if (!isJsonObject(applied) || applied.apiVersion !== apiVersion) return undefined;
    validateTyped(unstructuredContent(live), schema);
    validateTyped(applied, schema);
    const { removed, modified, added } = compareTyped(applied, unstructuredContent(live), schema);
    return toFieldSet(applied, schema).difference(modified).difference(added).difference(removed);
  } catch {
    // an invalid annotation allows nothing
    return undefined;
  }
}
