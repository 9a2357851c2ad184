import type { RestClient } from '../../client/rest-client.ts';
import { type ApiResource, collectionPath, resourceText } from './api-resources.ts';
import { exactList, type ListedObject } from './exact-list.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';

/** An object that differs between two revisions. */
export interface ObjectDifference {
  /** `pods`, `deployments.apps`. */
  readonly resource: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
  /** `replaced`: deleted and created again. */
  readonly type: 'added' | 'removed' | 'changed' | 'replaced';
  readonly changes: readonly FieldChange[];
}

export interface DifferenceOptions {
  readonly from: number;
  readonly to: number;
  /** Default: all namespaces, and cluster-scoped objects. */
  readonly namespace?: string | undefined;
}

/** Yields the objects that differ between two revisions, in the order of their names. @throws StatusError */
export async function* storeDifference(
  client: RestClient,
  resources: readonly ApiResource[],
  { from, to, namespace }: DifferenceOptions,
): AsyncGenerator<ObjectDifference, void, undefined> {
  for (const resource of resources) {
    if (namespace !== undefined && !resource.namespaced) continue;
    const path = collectionPath(resource, namespace);
    const itemsAt = async (revision: number) => byName((await exactList(client, path, { revision })).items);
    const [before, after] = await Promise.all([itemsAt(from), itemsAt(to)]);
    for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
      const difference = differenceOf(before.get(key), after.get(key));
      if (difference === undefined) continue;
      const { metadata } = (after.get(key) ?? before.get(key)) as ListedObject;
      const place = { namespace: metadata.namespace, name: metadata.name ?? '' };
      yield { resource: resourceText(resource), ...place, ...difference };
    }
  }
}

const byName = (items: readonly ListedObject[]): ReadonlyMap<string, ListedObject> =>
  new Map(items.map((item) => [`${item.metadata.namespace ?? ''}/${item.metadata.name}`, item]));

function differenceOf(
  before: ListedObject | undefined,
  after: ListedObject | undefined,
): Pick<ObjectDifference, 'type' | 'changes'> | undefined {
  if (before === undefined) return { type: 'added', changes: [] };
  if (after === undefined) return { type: 'removed', changes: [] };
  if (before.metadata.resourceVersion === after.metadata.resourceVersion) return undefined;
  const changes = fieldChanges(before, after);
  if (before.metadata.uid !== after.metadata.uid) return { type: 'replaced', changes };
  return changes.length === 0 ? undefined : { type: 'changed', changes };
}
