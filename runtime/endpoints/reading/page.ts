import type { ListMeta } from '../../codec/list-meta.ts';
import type { ListOptions } from '../../http/query.ts';
import { badRequest, isStatusError, resourceExpired } from '../../machinery/status.ts';
import type { Collection, Snapshot, StoredObject } from '../../storage/object-store/contract.ts';
import { type ContinueToken, decodeContinue, encodeContinue } from './continue-token.ts';
import type { Selection } from './selection.ts';
import { exactSnapshot, freshSnapshot, parseResourceVersion } from './snapshots.ts';

export interface Page {
  readonly items: readonly StoredObject[];
  readonly meta: ListMeta;
}

const expiredToken =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** One page of a list, or all of it: which snapshot is read, and how far. @throws StatusError 400, 410, 504 */
export async function readPage(
  collection: Collection,
  namespace: string,
  options: ListOptions,
  selection: Selection,
  signal?: AbortSignal,
): Promise<Page> {
  const token = options.continue === '' ? undefined : continueFrom(collection, namespace, options);
  const snapshot = token
    ? await continuedSnapshot(collection, token)
    : await firstSnapshot(collection, options, signal);
  const { items, last } = collect(snapshot, namespace, options.limit, selection, token);
  const inconsistent = token?.revision === -1;
  return {
    items,
    meta: {
      resourceVersion: String(snapshot.revision),
      ...(last === undefined ? {} : moreMeta(snapshot, namespace, last, selection, inconsistent)),
    },
  };
}

function continueFrom(collection: Collection, namespace: string, options: ListOptions): ContinueToken {
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return decodeContinue(options.continue, collection.resource.namespaced, namespace);
}

async function continuedSnapshot(collection: Collection, token: ContinueToken): Promise<Snapshot> {
  if (token.revision === -1) return collection.mostRecent();
  try {
    return await exactSnapshot(collection, token.revision);
  } catch (error) {
    if (!isStatusError(error) || error.status.reason !== 'Expired') throw error;
    throw resourceExpired(expiredToken, encodeContinue({ revision: -1, after: token.after }));
  }
}

/** The table of resourceVersion, resourceVersionMatch and limit in the API concepts, "Semantics for list". */
function firstSnapshot(collection: Collection, options: ListOptions, signal?: AbortSignal): Promise<Snapshot> {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (resourceVersion === '') return collection.mostRecent();
  const revision = parseResourceVersion(resourceVersion);
  if (revision === 0) return Promise.resolve(collection.latest());
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
  return exact ? exactSnapshot(collection, revision) : freshSnapshot(collection, revision, signal);
}

function collect(
  snapshot: Snapshot,
  namespace: string,
  limit: number,
  { matches, name }: Selection,
  token: ContinueToken | undefined,
): { items: StoredObject[]; last?: StoredObject } {
  const scope = { ...(namespace === '' ? {} : { namespace }), ...(token ? { after: token.after } : {}) };
  const items: StoredObject[] = [];
  if (name !== undefined && namespace !== '' && token === undefined) {
    const one = snapshot.get(namespace, name);
    return { items: one && (matches?.(one) ?? true) ? [one] : [] };
  }
  for (const stored of snapshot.scan(scope)) {
    if (matches && !matches(stored)) continue;
    if (limit > 0 && items.length === limit) return { items, last: items[limit - 1] };
    items.push(stored);
  }
  return { items };
}

/** What the client needs to go on behind `last`. How many are left is known only when nothing selects. */
function moreMeta(
  snapshot: Snapshot,
  namespace: string,
  { namespace: inside, name }: StoredObject,
  { matches }: Selection,
  inconsistent: boolean,
): ListMeta {
  const after = { namespace: inside, name };
  const revision = inconsistent ? -1 : snapshot.revision;
  const left = matches ? undefined : snapshot.countAfter(after, namespace === '' ? undefined : namespace);
  return {
    continue: encodeContinue({ revision, after }),
    ...(left === undefined ? {} : { remainingItemCount: left }),
  };
}
