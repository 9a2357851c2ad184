import type { Json, KubeObject } from '../../machinery/object.ts';
import { FieldSet } from '../field-set/field-set.ts';
import { ensureNamedFieldsAreMembers } from '../typed/named-fields.ts';
import { removeItems } from '../typed/remove-items.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import type { Managers, VersionedSet } from './managers.ts';
import type { Converter, TypedObject } from './typed-object.ts';

/**
 * Takes out of the merged object what the manager applied last time, does not apply now, and nobody else owns.
 * `managers` holds what everybody owns after the apply. (structured-merge-diff merge/update.go prune)
 */
export function pruneApplied(
  merged: TypedObject,
  managers: Managers,
  last: VersionedSet | undefined,
  converter: Converter,
): TypedObject {
  if (last === undefined || last.set.isEmpty) return merged;
  const converted = converter.convert(merged, last.apiVersion);
  if (converted === undefined) return merged;
  const lastNamed = ensureNamedFieldsAreMembers(last.set, converted.schema);
  const pruned = without(converted, lastNamed);
  const owned = addBackOwned(converted, pruned, managers, converter);
  const kept = addBackDangling(converted, owned, last, lastNamed, converter);
  return converter.convert(kept, merged.apiVersion) ?? merged;
}

const without = (typed: TypedObject, items: FieldSet): TypedObject => ({
  ...typed,
  object: removeItems(typed.object as Json, items, typed.schema) as unknown as KubeObject,
});

const namedFields = ({ object, schema }: TypedObject): FieldSet =>
  ensureNamedFieldsAreMembers(toFieldSet(object as Json, schema), schema);

/** What others own comes back, or what the manager itself still applies. */
function addBackOwned(merged: TypedObject, pruned: TypedObject, managers: Managers, converter: Converter): TypedObject {
  const owned = new Map<string, FieldSet[]>();
  for (const { apiVersion, set } of managers.values()) {
    const sets = owned.get(apiVersion);
    if (sets) sets.push(set);
    else owned.set(apiVersion, [set]);
  }
  // that of the version at hand first: a conversion may need what was pruned
  const versions = [...owned.keys()].sort((a, b) => Number(b === merged.apiVersion) - Number(a === merged.apiVersion));
  let whole = merged;
  let rest = pruned;
  for (const version of versions) {
    const wholeThere = converter.convert(whole, version);
    const restThere = wholeThere && converter.convert(rest, version);
    if (!wholeThere || !restThere) continue;
    const keep = namedFields(restThere).union(
      ensureNamedFieldsAreMembers(FieldSet.unionOf(owned.get(version) ?? []), wholeThere.schema),
    );
    whole = wholeThere;
    rest = without(wholeThere, namedFields(wholeThere).difference(keep));
  }
  return rest;
}

/** What nobody owned comes back too: only what the manager had applied may go. */
function addBackDangling(
  merged: TypedObject,
  pruned: TypedObject,
  last: VersionedSet,
  lastNamed: FieldSet,
  converter: Converter,
): TypedObject {
  const converted = converter.convert(pruned, last.apiVersion);
  if (converted === undefined) return merged;
  const gone = namedFields(merged).difference(namedFields(converted));
  return without(merged, gone.intersection(lastNamed));
}
