import { FieldSet } from '../field-set/field-set.ts';
import { compareText } from '../field-set/value-order.ts';
import { secondsOf } from './entries.ts';
import { managerIdentifier } from './identifier.ts';
import type { Managed, Manager } from './manager.ts';

/** How many managers an object may have from updates. (DefaultMaxUpdateManagers) */
export const maxUpdateManagers = 10;

const bucketName = 'ancient-changes';

/** Lays the oldest updates of a version together, so that their number stays within bounds. */
export function capManagers(inner: Manager, limit: number = maxUpdateManagers): Manager {
  return {
    update(live, next, managed, manager) {
      const result = inner.update(live, next, managed, manager);
      capUpdates(result.managed, limit);
      return result;
    },
    apply: (live, config, managed, manager, force) => inner.apply(live, config, managed, manager, force),
  };
}

function capUpdates({ fields, times }: Managed, limit: number): void {
  const updaters = [...fields].filter(([, { applied }]) => !applied).map(([manager]) => manager);
  if (updaters.length <= limit) return;
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareText(a, b));
  const firstOf = new Map<string, string>();
  // united at the end: one after another would copy what there is so far for each of thousands
  const gathered = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const manager of updaters) {
    if (count <= limit) break;
    const versioned = fields.get(manager);
    if (versioned === undefined) continue;
    const first = firstOf.get(versioned.apiVersion);
    if (first === undefined) {
      firstOf.set(versioned.apiVersion, manager);
      continue;
    }
    const { apiVersion } = versioned;
    const bucket = managerIdentifier({ manager: bucketName, operation: 'Update', apiVersion });
    const before = fields.get(bucket) ?? fields.get(first);
    const sets = gathered.get(bucket);
    if (sets) sets.push(versioned.set);
    else gathered.set(bucket, before ? [versioned.set, before.set] : [versioned.set]);
    if (!fields.has(bucket)) fields.delete(first);
    fields.delete(manager);
    fields.set(bucket, versioned);
    count--;
    const time = times.get(manager);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  for (const [bucket, sets] of gathered) {
    const versioned = fields.get(bucket);
    if (versioned) fields.set(bucket, { ...versioned, set: FieldSet.unionOf(sets) });
  }
}
