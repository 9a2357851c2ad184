import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { fromUnstructured, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldSetFilter } from '../fieldpath/filter.ts';
import type { ManagedFields, VersionedSet } from '../fieldpath/managers.ts';
import { type Comparison, compareTyped, filterComparison } from '../typed/compare.ts';
import { mergeTyped } from '../typed/merge.ts';
import { reconcileFieldSetWithSchema } from '../typed/reconcile-schema.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { type Conflict, ConflictError } from './conflict.ts';
import { type Converter, convertFor, type TypedValue } from './converter.ts';
import { prune } from './prune.ts';

export interface UpdaterOptions {
  readonly converter: Converter;
  readonly filters?: FieldSetFilters | undefined;
}

/** Returns the fields that writes at a version, such as `apps/v1`, may own; undefined for all. May be a Map. */
export interface FieldSetFilters {
  get(apiVersion: string): FieldSetFilter | undefined;
}

interface UpdateRequest {
  readonly live: TypedValue;
  readonly next: TypedValue;
  readonly managers: ManagedFields;
  readonly manager: string;
}

interface ApplyRequest {
  readonly live: TypedValue;
  readonly config: TypedValue;
  readonly managers: ManagedFields;
  readonly manager: string;
  readonly force: boolean;
}

export interface ApplyResult {
  /** Undefined if the object does not change. */
  readonly object: KubeObject | undefined;
  readonly managers: ManagedFields;
}

/**
 * Computes the owners of fields after a write. Does not change its arguments. (structured-merge-diff merge/update.go)
 */
export class Updater {
  readonly #converter: Converter;
  readonly #filters: FieldSetFilters;

  constructor({ converter, filters = new Map() }: UpdaterOptions) {
    this.#converter = converter;
    this.#filters = filters;
  }

  /**
   * Gives the changed fields to the manager, and takes them from all others.
   *
   * @throws ConversionError
   */
  update(request: UpdateRequest): ManagedFields {
    const { live, next, manager } = request;
    const reconciled = this.#reconcileManagers(live, request.managers);
    const { managers, comparison } = this.#updateManagers({ live, next, managers: reconciled, manager }, true);
    const { removed, modified, added } = comparison;
    const previous = managers.get(manager)?.set ?? FieldSet.empty;
    const set = this.#filter(next.apiVersion, previous.difference(removed).union(modified).union(added));
    if (set.isEmpty) managers.delete(manager);
    else managers.set(manager, { set, apiVersion: next.apiVersion, applied: false });
    return managers;
  }

  /**
   * Merges the configuration into the live object. Removes fields that the manager applied before but no longer does.
   *
   * @throws ConversionError
   * @throws ConflictError without `force` if other managers own fields that would change
   */
  apply({ live, config, managers: currentManagers, manager, force }: ApplyRequest): ApplyResult {
    const managers = this.#reconcileManagers(live, currentManagers);
    const merged = mergeTyped(unstructuredContent(live.object), unstructuredContent(config.object), live.schema);
    const lastSet = managers.get(manager);
    const set = this.#filter(config.apiVersion, toFieldSet(unstructuredContent(config.object), config.schema));
    const versioned = { set, apiVersion: config.apiVersion, applied: true };
    managers.set(manager, versioned);
    const unpruned: TypedValue = { ...config, object: fromUnstructured(merged ?? {}) };
    const next = includes(versioned, lastSet, managers)
      ? unpruned
      : convertFor('failed to prune fields', () => prune(unpruned, managers, lastSet, this.#converter));
    if (set.isEmpty) managers.delete(manager);
    const hasOthers = managers.size > (set.isEmpty ? 0 : 1);
    // only other managers need the changed fields, and a set of them takes as much memory as the object
    const updated = hasOthers ? this.#updateManagers({ live, next, managers, manager }, force).managers : managers;
    const isUnchanged = equalJson(unstructuredContent(live.object), unstructuredContent(next.object));
    return { object: isUnchanged ? undefined : next.object, managers: updated };
  }

  #filter(apiVersion: string, set: FieldSet): FieldSet {
    return this.#filters.get(apiVersion)?.(set) ?? set;
  }

  /** (reconcileManagedFieldsWithSchemaChanges) */
  #reconcileManagers(live: TypedValue, managers: ManagedFields): ManagedFields {
    const reconciled: ManagedFields = new Map();
    const schemas = new Map<string, MergeSchema | undefined>();
    for (const [manager, versioned] of managers) {
      const { apiVersion } = versioned;
      if (!schemas.has(apiVersion)) schemas.set(apiVersion, this.#converter.convert(live, apiVersion)?.schema);
      const schema = schemas.get(apiVersion);
      if (schema) reconciled.set(manager, { ...versioned, set: reconcileFieldSetWithSchema(versioned.set, schema) });
    }
    return reconciled;
  }

  /** Takes the changed and removed fields from the other managers. */
  #updateManagers({ live, next, managers, manager }: UpdateRequest, force: boolean): { managers: ManagedFields; comparison: Comparison } {
    const changesByVersion = new Map<string, Changes | undefined>();
    const comparison = this.#compare(live, next);
    changesByVersion.set(next.apiVersion, changesOf(comparison));
    const updated: ManagedFields = new Map();
    const conflicts: Conflict[] = [];
    for (const [other, versioned] of managers) {
      const { apiVersion, set } = versioned;
      if (other === manager) {
        if (!set.isEmpty) updated.set(other, versioned);
        continue;
      }
      if (!changesByVersion.has(apiVersion)) {
        changesByVersion.set(apiVersion, this.#changesAtVersion(apiVersion, live, next));
      }
      const changes = changesByVersion.get(apiVersion);
      // managers of unknown versions are dropped
      if (changes === undefined) continue;
      const conflicting = set.intersection(changes.written);
      for (const path of conflicting.paths()) conflicts.push({ manager: other, path });
      const remaining = set.difference(conflicting).difference(changes.removed);
      if (!remaining.isEmpty) updated.set(other, remaining === set ? versioned : { ...versioned, set: remaining });
    }
    if (!force && conflicts.length > 0) throw new ConflictError(conflicts.sort(byManager));
    return { managers: updated, comparison };
  }

  #changesAtVersion(apiVersion: string, live: TypedValue, next: TypedValue): Changes | undefined {
    const convert = (value: TypedValue, what: string) =>
      convertFor(`failed to convert ${what} object`, () => this.#converter.convert(value, apiVersion));
    const convertedLive = convert(live, 'old');
    const convertedNext = convertedLive && convert(next, 'new');
    return convertedLive && convertedNext && changesOf(this.#compare(convertedLive, convertedNext));
  }

  #compare(live: TypedValue, next: TypedValue): Comparison {
    const comparison = compareTyped(unstructuredContent(live.object), unstructuredContent(next.object), next.schema);
    return filterComparison(comparison, this.#filters.get(next.apiVersion));
  }
}

/** The changes of a write, as paths of one version. */
interface Changes {
  /** Modified or added fields. */
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

const changesOf = ({ removed, modified, added }: Comparison): Changes => ({ written: modified.union(added), removed });

/**
 * Reports whether pruning can be skipped: the set includes all fields applied last time, and all managers have its
 * version. With other versions, pruning may find that the object cannot be converted.
 */
function includes(set: VersionedSet, lastSet: VersionedSet | undefined, managers: ManagedFields): boolean {
  if (lastSet === undefined) return true;
  if (lastSet.apiVersion !== set.apiVersion || !lastSet.set.difference(set.set).isEmpty) return false;
  return [...managers.values()].every(({ apiVersion }) => apiVersion === set.apiVersion);
}

const byManager = (a: Conflict, b: Conflict): number => compareStrings(a.manager, b.manager);
