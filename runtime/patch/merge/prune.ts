import { fromUnstructured, unstructuredContent } from '../../machinery/object.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { ManagedFields, VersionedSet } from '../fieldpath/managers.ts';
import { ensureNamedFieldsAreMembers } from '../typed/named-fields.ts';
import { removeItems } from '../typed/remove-items.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { type Converter, convertFor, type TypedValue } from './converter.ts';

/**
 * Removes the fields that a manager applied last time, if it no longer applies them and no other manager owns them.
 * (structured-merge-diff merge/update.go prune)
 *
 * @param managers the fields of all managers after the apply
 * @param lastSet the fields that the manager applied last time
 * @throws ConversionError
 */
export function prune(merged: TypedValue, managers: ManagedFields, lastSet: VersionedSet | undefined, converter: Converter): TypedValue {
  if (lastSet === undefined || lastSet.set.isEmpty) return merged;
  const atLastVersion = (value: TypedValue, what: string) =>
    convertFor(`failed to convert ${what} object to last applied version`, () => converter.convert(value, lastSet.apiVersion));
  const converted = atLastVersion(merged, 'merged');
  if (converted === undefined) return merged;
  const applied = ensureNamedFieldsAreMembers(lastSet.set, converted.schema);
  const pruned = without(converted, applied);
  const withOwned = convertFor('failed add back owned items', () => addBackOwnedItems(converted, pruned, managers, converter));
  const ownedAtLastVersion = convertFor('failed add back dangling items', () => atLastVersion(withOwned, 'pruned'));
  const withDangling = addBackDanglingItems(converted, ownedAtLastVersion, applied);
  return converter.convert(withDangling, merged.apiVersion) ?? merged;
}

const without = (value: TypedValue, items: FieldSet): TypedValue => ({
  ...value,
  object: fromUnstructured(removeItems(unstructuredContent(value.object), items, value.schema)),
});

const namedFields = ({ object, schema }: TypedValue): FieldSet =>
  ensureNamedFieldsAreMembers(toFieldSet(unstructuredContent(object), schema), schema);

/** Adds back the items that other managers own or the manager still applies. */
function addBackOwnedItems(merged: TypedValue, pruned: TypedValue, managers: ManagedFields, converter: Converter): TypedValue {
  const setsByVersion = new Map<string, FieldSet[]>();
  for (const { apiVersion, set } of managers.values()) {
    const sets = setsByVersion.get(apiVersion);
    if (sets) sets.push(set);
    else setsByVersion.set(apiVersion, [set]);
  }
  // starts with the version of the object, because a conversion may need pruned fields
  const versions = [...setsByVersion.keys()].sort((a, b) => Number(b === merged.apiVersion) - Number(a === merged.apiVersion));
  let currentMerged = merged;
  let currentPruned = pruned;
  for (const version of versions) {
    const convert = (value: TypedValue, what: string) =>
      convertFor(`failed to convert ${what} object at version ${version}`, () => converter.convert(value, version));
    const convertedMerged = convert(currentMerged, 'merged');
    const convertedPruned = convertedMerged && convert(currentPruned, 'pruned');
    if (!convertedMerged || !convertedPruned) continue;
    const owned = FieldSet.unionOf(setsByVersion.get(version) ?? []);
    const retained = namedFields(convertedPruned).union(ensureNamedFieldsAreMembers(owned, convertedMerged.schema));
    currentMerged = convertedMerged;
    currentPruned = without(convertedMerged, namedFields(convertedMerged).difference(retained));
  }
  return currentPruned;
}

/** Adds back the items that no manager owned: pruning may only remove fields that the manager applied last time. */
function addBackDanglingItems(merged: TypedValue, pruned: TypedValue | undefined, applied: FieldSet): TypedValue {
  if (pruned === undefined) return merged;
  const removed = namedFields(merged).difference(namedFields(pruned));
  return without(merged, removed.intersection(applied));
}
