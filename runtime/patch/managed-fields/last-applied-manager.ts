import { parseRawJson } from '../../machinery/json/raw-json.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { ConflictError, isConflictError } from '../apply/managers.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { compareTyped } from '../typed/compare.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { validateTyped } from '../typed/validate.ts';
import { kubectlManager, lastAppliedOf } from './last-applied.ts';
import type { Manager } from './manager.ts';

/**
 * Lets kubectl's first server-side apply take the fields that its client-side apply had set: conflicts over them are
 * none. (apimachinery lastappliedmanager.go)
 */
export function upgradeFromLastApplied(inner: Manager, schema: MergeSchema, apiVersion: string): Manager {
  return {
    update: (live, next, managed, manager) => inner.update(live, next, managed, manager),
    apply(live, config, managed, manager, force) {
      try {
        return inner.apply(live, config, managed, manager, force);
      } catch (error) {
        if (manager !== kubectlManager || !isConflictError(error)) throw error;
        const allowed = allowedFields(live, schema, apiVersion);
        if (allowed === undefined) throw error;
        const left = error.conflicts.filter(({ path }) => !allowed.has(path));
        const conflicting = FieldSet.of(...error.conflicts.map(({ path }) => path));
        if (!conflicting.difference(allowed).isEmpty) throw new ConflictError(left);
        return inner.apply(live, config, managed, manager, true);
      }
    },
  };
}

/** What the annotation set and the object still has so; undefined without a usable annotation. */
function allowedFields(live: KubeObject, schema: MergeSchema, apiVersion: string): FieldSet | undefined {
  const text = lastAppliedOf(live);
  if (text === undefined) return undefined;
  try {
    const applied = parseRawJson(Buffer.from(text)) as Json;
    if (!isJsonObject(applied) || applied.apiVersion !== apiVersion) return undefined;
    validateTyped(live as Json, schema);
    validateTyped(applied, schema);
    const { removed, modified, added } = compareTyped(applied, live as Json, schema);
    return toFieldSet(applied, schema).difference(modified).difference(added).difference(removed);
  } catch {
    // an annotation that nobody can read allows nothing
    return undefined;
  }
}
