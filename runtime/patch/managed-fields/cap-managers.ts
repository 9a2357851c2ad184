import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { FieldSet } from '../fieldpath/field-set.ts';
import { buildManagerIdentifier, unixSeconds } from './managed-fields.ts';
import type { Managed, Manager } from './manager.ts';

/** The most managers of updates that an object may have. (DefaultMaxUpdateManagers) */
const maxUpdateManagers = 10;

const ancientChanges = 'ancient-changes';

/**
 * Merges the oldest updates of each version into one manager if there are more than the limit. (apimachinery
 * capmanagers.go)
 */
export function newCapManagersManager(inner: Manager, limit: number = maxUpdateManagers): Manager {
  return {
    update(live, next, managed, manager) {
      const result = inner.update(live, next, managed, manager);
      capUpdateManagers(result.managed, limit);
      return result;
    },
    apply: (request) => inner.apply(request),
  };
}

function capUpdateManagers({ fields, times }: Managed, limit: number): void {
  const updaters = [...fields].filter(([, { applied }]) => !applied).map(([manager]) => manager);
  if (updaters.length <= limit) return;
  updaters.sort((a, b) => unixSeconds(times.get(a)) - unixSeconds(times.get(b)) || compareStrings(a, b));
  const firstManagers = new Map<string, string>();
  // united at the end: uniting thousands of sets one by one would copy the union each time
  const setsByBucket = new Map<string, FieldSet[]>();
  let count = updaters.length;
  for (const manager of updaters) {
    if (count <= limit) break;
    const versioned = fields.get(manager);
    if (versioned === undefined) continue;
    const first = firstManagers.get(versioned.apiVersion);
    if (first === undefined) {
      firstManagers.set(versioned.apiVersion, manager);
      continue;
    }
    const { apiVersion } = versioned;
    const bucket = buildManagerIdentifier({ manager: ancientChanges, operation: 'Update', apiVersion });
    const previous = fields.get(bucket) ?? fields.get(first);
    const sets = setsByBucket.get(bucket);
    if (sets) sets.push(versioned.set);
    else setsByBucket.set(bucket, previous ? [versioned.set, previous.set] : [versioned.set]);
    if (!fields.has(bucket)) fields.delete(first);
    fields.delete(manager);
    fields.set(bucket, versioned);
    count--;
    const time = times.get(manager);
    if (time === undefined) times.delete(bucket);
    else times.set(bucket, time);
  }
  for (const [bucket, sets] of setsByBucket) {
    const versioned = fields.get(bucket);
    if (versioned) fields.set(bucket, { ...versioned, set: FieldSet.unionOf(sets) });
  }
}
