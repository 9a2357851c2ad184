import type { ListMeta } from '../../codec/list-meta.ts';
import type { ListOptions } from '../../http/options/read-options.ts';
import { badRequest, isStatusError, resourceExpired } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { requireReadable } from '../../resources/corrupt-objects.ts';
import { viewsOf } from '../../resources/views.ts';
import type { Collection, Snapshot, StoredObject } from '../../storage/object-store/contract.ts';
import { type ContinuedList, type ContinueToken, decodeContinue, encodeContinue } from './continue-token.ts';
import type { SelectionPredicate } from './selection-predicate.ts';
import { exactSnapshot, freshSnapshot, parseResourceVersion } from './snapshots.ts';

/** Looking at the clock costs as much as looking at an object. */
const looksBetweenTurns = 256;

export interface Page {
  readonly items: readonly StoredObject[];
  readonly meta: ListMeta;
}

const expiredToken =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** One page of a list, or all of it: which snapshot is read, and how far. @throws StatusError 400, 410, 500, 504 */
export async function readPage(
  definition: ResourceDefinition,
  collection: Collection,
  namespace: string,
  options: ListOptions,
  selection: SelectionPredicate,
  signal?: AbortSignal,
): Promise<Page> {
  requireReadable(collection, namespace, selection.name);
  const list: ContinuedList = { ...placeOf(collection), namespace };
  const token = options.continue === '' ? undefined : continueFrom(list, options);
  const snapshot = token
    ? await continuedSnapshot(collection, list, token, signal)
    : await firstSnapshot(collection, options, signal);
  // upstream's cache shows all it has to those who take any version
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  const scope: Scope = { snapshot, list, limit, selection, token };
  const { items, more } =
    definition.decoder === undefined ? await collect(scope) : await collectViews(definition, scope);
  const resourceVersion = String(snapshot.revision);
  if (!more) return { items, meta: { resourceVersion } };
  const after = items[items.length - 1];
  // how many are left is known only when nothing selects
  const left = selection.matches ? undefined : snapshot.countAfter(after, namespace === '' ? undefined : namespace);
  return {
    items,
    meta: {
      resourceVersion,
      continue: encodeContinue({ revision: snapshot.revision, after }, list),
      ...(left === undefined ? {} : { remainingItemCount: left }),
    },
  };
}

const placeOf = ({ resource: { group, resource, namespaced } }: Collection) => ({ group, resource, namespaced });

function continueFrom(list: ContinuedList, options: ListOptions): ContinueToken {
  const token = decodeContinue(options.continue, list);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return token;
}

async function continuedSnapshot(
  collection: Collection,
  list: ContinuedList,
  token: ContinueToken,
  signal?: AbortSignal,
): Promise<Snapshot> {
  if (token.revision === -1) return collection.mostRecent();
  try {
    return await exactSnapshot(collection, token.revision, signal);
  } catch (error) {
    if (!isStatusError(error) || error.status.reason !== 'Expired') throw error;
    throw resourceExpired(expiredToken, encodeContinue({ revision: -1, after: token.after }, list));
  }
}

/** The table of resourceVersion, resourceVersionMatch and limit in the API concepts, "Semantics for list". */
function firstSnapshot(
  collection: Collection,
  options: ListOptions,
  signal?: AbortSignal,
): Snapshot | Promise<Snapshot> {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (resourceVersion === '') return collection.mostRecent();
  if (parseResourceVersion(resourceVersion) === 0) return collection.latest();
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0);
  return exact
    ? exactSnapshot(collection, resourceVersion, signal)
    : freshSnapshot(collection, resourceVersion, signal);
}

interface Scope {
  readonly snapshot: Snapshot;
  readonly list: ContinuedList;
  readonly limit: number;
  readonly selection: SelectionPredicate;
  readonly token: ContinueToken | undefined;
}

interface Collected {
  readonly items: readonly StoredObject[];
  readonly more: boolean;
}

/** How many objects whoever converts them is asked for at once, when it is not known how many will match. */
const viewsAtOnce = 500;

/** The same of custom resources: views are what matches. */
async function collectViews(definition: ResourceDefinition, scope: Scope): Promise<Collected> {
  const { matches, ...place } = scope.selection;
  if (matches === undefined) {
    const { items, more } = await collect(scope);
    return { items: await viewsOf(definition, items), more };
  }
  const { items: all } = await collect({ ...scope, selection: place, limit: 0 });
  const items: StoredObject[] = [];
  for (let from = 0; from < all.length; from += viewsAtOnce) {
    const views = await viewsOf(definition, all.slice(from, from + viewsAtOnce));
    for (const [at, view] of views.entries()) {
      if (matches(view)) items.push(view);
      if (scope.limit > 0 && items.length === scope.limit) return { items, more: from + at + 1 < all.length };
    }
  }
  return { items, more: false };
}

/**
 * The objects that match, up to a full page. `more` says that objects come behind a full page; whether any of them
 * matches is for the next page to find out, as upstream.
 */
async function collect({ snapshot, list, limit, selection, token }: Scope): Promise<Collected> {
  const { matches, name, namespace: selected } = selection;
  const inside = list.namespace === '' ? selected : list.namespace;
  const place = list.namespaced ? inside : '';
  if (name !== undefined && place !== undefined && token === undefined) {
    const one = snapshot.get(place, name);
    return { items: one && (matches?.(one) ?? true) ? [one] : [], more: false };
  }
  const scope = { ...(inside === undefined ? {} : { namespace: inside }), ...(token ? { after: token.after } : {}) };
  const items: StoredObject[] = [];
  const slice = new TimeSlice();
  let seen = 0;
  for (const stored of snapshot.scan(scope)) {
    if (limit > 0 && items.length === limit) return { items, more: true };
    if (!matches || matches(stored)) items.push(stored);
    seen += 1;
    if (seen % looksBetweenTurns === 0 && slice.isOver) await slice.next();
  }
  return { items, more: false };
}
