import { equalJson } from '../../machinery/json/equality.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';
import { FieldSet } from '../field-set/field-set.ts';
import type { FieldFilter } from '../field-set/filter.ts';
import { compareText } from '../field-set/value-order.ts';

import { type Comparison, compareTyped, filterComparison } from '../typed/compare.ts';
import { mergeTyped } from '../typed/merge.ts';
import { reconcileFieldSet } from '../typed/reconcile.ts';
import { toFieldSet } from '../typed/to-field-set.ts';
import { type Conflict, ConflictError, type Managers, type VersionedSet } from './managers.ts';
import { pruneApplied } from './prune.ts';
import type { Converter, TypedObject } from './typed-object.ts';

export interface UpdaterOptions {
  readonly converter: Converter;
  readonly filters?: FieldFilters;
}

/** By version, as `apps/v1`: which fields a write there may own; undefined for all. A Map is one. */
export interface FieldFilters {
  get(apiVersion: string): FieldFilter | undefined;
}

export interface Applied {
  /** Undefined: the object stays as it is. */
  readonly object: KubeObject | undefined;
  readonly managers: Managers;
}

/** Who owns what after a write. Arguments are not changed. (structured-merge-diff merge/update.go) */
export class Updater {
  readonly #converter: Converter;
  readonly #filters: FieldFilters;

  constructor({ converter, filters = new Map() }: UpdaterOptions) {
    this.#converter = converter;
    this.#filters = filters;
  }

  /** The manager owns what it changed, and others no longer do. */
  update(live: TypedObject, next: TypedObject, before: Managers, manager: string): Managers {
    const reconciled = this.#reconcile(live, before);
    const { managers, comparison } = this.#change(live, next, reconciled, manager, true);
    const { removed, modified, added } = comparison;
    const had = managers.get(manager)?.set ?? FieldSet.empty;
    const set = this.#filter(next.apiVersion, had.difference(removed).union(modified).union(added));
    if (set.isEmpty) managers.delete(manager);
    else managers.set(manager, { set, apiVersion: next.apiVersion, applied: false });
    return managers;
  }

  /**
   * Lays the config over the object, and takes away what the manager applied before and does not any more.
   * @throws ConflictError without `force`, when others own what would change
   */
  apply(live: TypedObject, config: TypedObject, before: Managers, manager: string, force: boolean): Applied {
    const managers = this.#reconcile(live, before);
    const merged = mergeTyped(live.object as Json, config.object as Json, live.schema);
    const last = managers.get(manager);
    const set = this.#filter(config.apiVersion, toFieldSet(config.object as Json, config.schema));
    managers.set(manager, { set, apiVersion: config.apiVersion, applied: true });
    const whole: TypedObject = { ...config, object: merged as unknown as KubeObject };
    const next = stillApplies(last, managers.get(manager) as VersionedSet)
      ? whole
      : pruneApplied(whole, managers, last, this.#converter);
    if (set.isEmpty) managers.delete(manager);
    const hasOthers = managers.size > (set.isEmpty ? 0 : 1);
    // which fields change matters to the other managers only, and a set of them takes as much memory as the object
    const left = hasOthers ? this.#change(live, next, managers, manager, force).managers : managers;
    const same = equalJson(live.object as Json, next.object as Json);
    return { object: same ? undefined : next.object, managers: left };
  }

  #filter(apiVersion: string, set: FieldSet): FieldSet {
    return this.#filters.get(apiVersion)?.(set) ?? set;
  }

  #reconcile(live: TypedObject, before: Managers): Managers {
    const managers: Managers = new Map();
    for (const [manager, versioned] of before) {
      const { schema } = this.#converter.convert(live, versioned.apiVersion) ?? {};
      if (schema) managers.set(manager, { ...versioned, set: reconcileFieldSet(versioned.set, schema) });
    }
    return managers;
  }

  /** Takes from the others what changed or went. */
  #change(
    live: TypedObject,
    next: TypedObject,
    managers: Managers,
    manager: string,
    force: boolean,
  ): { managers: Managers; comparison: Comparison } {
    const changes = new Map<string, Change | undefined>();
    const comparison = this.#compare(live, next);
    changes.set(next.apiVersion, changeOf(comparison));
    const left: Managers = new Map();
    const conflicts: Conflict[] = [];
    for (const [other, versioned] of managers) {
      const { apiVersion, set } = versioned;
      if (other === manager) {
        if (!set.isEmpty) left.set(other, versioned);
        continue;
      }
      if (!changes.has(apiVersion)) changes.set(apiVersion, this.#changeAt(apiVersion, live, next));
      const there = changes.get(apiVersion);
      // of versions that are no longer known nobody owns anything
      if (there === undefined) continue;
      const taken = set.intersection(there.written);
      for (const path of taken.paths()) conflicts.push({ manager: other, path });
      const kept = set.difference(taken).difference(there.removed);
      if (!kept.isEmpty) left.set(other, kept === set ? versioned : { ...versioned, set: kept });
    }
    if (!force && conflicts.length > 0) throw new ConflictError(conflicts.sort(byManager));
    return { managers: left, comparison };
  }

  #changeAt(apiVersion: string, live: TypedObject, next: TypedObject): Change | undefined {
    const before = this.#converter.convert(live, apiVersion);
    const after = before && this.#converter.convert(next, apiVersion);
    return before && after && changeOf(this.#compare(before, after));
  }

  #compare(live: TypedObject, next: TypedObject): Comparison {
    const comparison = compareTyped(live.object as Json, next.object as Json, next.schema);
    return filterComparison(comparison, this.#filters.get(next.apiVersion));
  }
}

/** What a write does to the fields of others, in one version. */
interface Change {
  /** Modified or added. */
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

const changeOf = ({ removed, modified, added }: Comparison): Change => ({ written: modified.union(added), removed });

/** Nothing that was applied before is left out now: nothing is to be taken away. */
function stillApplies(last: VersionedSet | undefined, now: VersionedSet): boolean {
  return last === undefined || (last.apiVersion === now.apiVersion && last.set.difference(now.set).isEmpty);
}

const byManager = (a: Conflict, b: Conflict): number => compareText(a.manager, b.manager);
