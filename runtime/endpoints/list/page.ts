import type { ListMeta } from '../../codec/list-meta.ts';
import type { ListOptions } from '../../http/options/read-options.ts';
import { badRequest, isStatusError, resourceExpired } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { requireReadable } from '../../resources/corrupt-objects.ts';
import { viewsOf } from '../../resources/views.ts';
import type { Collection, CollectionSnapshot, StoredObject } from '../../storage/object-store/contract.ts';
import { type ContinueToken, decodeContinue, encodeContinue, positionAfter } from './continue-token.ts';
import type { SelectionPredicate } from './selection-predicate.ts';
import { anySnapshot, parseResourceVersion, snapshotAt, snapshotNotOlderThan } from './snapshots.ts';

/**
 * The number of objects that are scanned between two looks at the clock. A look takes as long as matching an object.
 */
const scannedBetweenYields = 256;

export interface PageRequest {
  readonly definition: ResourceDefinition;
  readonly collection: Collection;
  /** "" for all namespaces. */
  readonly namespace: string;
  readonly options: ListOptions;
  readonly predicate: SelectionPredicate;
  /** Aborts waiting for a future revision. */
  readonly signal?: AbortSignal | undefined;
  /** As RequestState.readsAt. */
  readonly readsAt?: number | undefined;
}

export interface Page {
  readonly items: readonly StoredObject[];
  readonly meta: ListMeta;
}

const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** Reads a page of a list, or the whole list. (storage.Interface GetList) @throws StatusError 400, 410, 500, 504 */
export async function readPage(request: PageRequest): Promise<Page> {
  const { definition, collection, namespace, options, predicate } = request;
  requireReadable(request, namespace, predicate.name);
  // a list of one namespace by its path or by its selector, as a token's position depends on it
  const list = { namespaced: collection.resource.namespaced, namespace: namespace === '' ? (predicate.namespace ?? '') : namespace };
  const single = options.continue === '' ? singleOf(list, predicate) : undefined;
  const token = options.continue === '' ? undefined : continueFrom(options);
  const snapshot = token ? await continuedSnapshot(request, token) : await firstSnapshot(request, single === undefined);
  // ignores the limit if the client accepts any version, as upstream's cache does
  const limit = options.resourceVersion === '0' ? 0 : options.limit;
  const scan: Scan = { snapshot, list, limit, predicate, single, token };
  const { items, more } = definition.decoder === undefined ? await collect(scan) : await collectViews(definition, scan);
  const resourceVersion = String(snapshot.revision);
  const after = items.at(-1);
  if (!more || after === undefined) return { items, meta: { resourceVersion } };
  // without a selector, the number of remaining items is known
  const remaining = predicate.matches ? undefined : snapshot.countAfter(after, namespace === '' ? undefined : namespace);
  return {
    items,
    meta: {
      resourceVersion,
      continue: encodeContinue({ revision: snapshot.revision, from: positionAfter(after, list.namespace) }),
      ...defined({ remainingItemCount: remaining }),
    },
  };
}

/** The objects that a list may have. */
interface ListedPlace {
  readonly namespaced: boolean;
  /** "" for all namespaces. */
  readonly namespace: string;
}

interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Returns the object that field selectors name, if its namespace is known, too. Such a list has no pages, and is read at
 * an older resourceVersion only for an exact match. (registry/generic/registry/store.go ListPredicate)
 */
function singleOf({ namespaced, namespace }: ListedPlace, { name }: SelectionPredicate): ObjectKey | undefined {
  if (name === undefined || (namespaced && namespace === '')) return undefined;
  return { namespace: namespaced ? namespace : '', name };
}

function continueFrom(options: ListOptions): ContinueToken {
  const token = decodeContinue(options.continue);
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return token;
}

async function continuedSnapshot({ collection, signal }: PageRequest, token: ContinueToken): Promise<CollectionSnapshot> {
  if (token.revision === -1) return collection.mostRecent();
  try {
    return await snapshotAt(collection, token.revision, signal);
  } catch (error) {
    if (!isStatusError(error) || error.status.reason !== 'Expired') throw error;
    throw resourceExpired(inconsistentContinue, encodeContinue({ ...token, revision: -1 }));
  }
}

/** Implements the table in "Semantics for get and list" of the API concepts. */
function firstSnapshot(
  { collection, options, signal, readsAt }: PageRequest,
  hasPages: boolean,
): CollectionSnapshot | Promise<CollectionSnapshot> {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (resourceVersion === '') return collection.mostRecent();
  if (parseResourceVersion(resourceVersion) === 0) return anySnapshot(collection, readsAt);
  const isExact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && hasPages);
  return isExact ? snapshotAt(collection, resourceVersion, signal) : snapshotNotOlderThan(collection, resourceVersion, signal);
}

interface Scan {
  readonly snapshot: CollectionSnapshot;
  readonly list: ListedPlace;
  /** 0 for no limit. */
  readonly limit: number;
  readonly predicate: SelectionPredicate;
  readonly single: ObjectKey | undefined;
  readonly token: ContinueToken | undefined;
}

interface ScannedItems {
  readonly items: readonly StoredObject[];
  /** True if objects follow after a full page. As upstream, only the next page finds out whether any of them matches. */
  readonly more: boolean;
}

/** The number of objects that are converted at once while the number of matches is unknown. */
const convertedAtOnce = 500;

/** Collects the objects whose views match. */
async function collectViews(definition: ResourceDefinition, scan: Scan): Promise<ScannedItems> {
  const { matches, ...place } = scan.predicate;
  if (matches === undefined) {
    const { items, more } = await collect(scan);
    return { items: await viewsOf(definition, items), more };
  }
  const { items: all } = await collect({ ...scan, predicate: place, limit: 0 });
  const items: StoredObject[] = [];
  for (let from = 0; from < all.length; from += convertedAtOnce) {
    const views = await viewsOf(definition, all.slice(from, from + convertedAtOnce));
    for (const [at, view] of views.entries()) {
      if (matches(view)) items.push(view);
      if (scan.limit > 0 && items.length === scan.limit) return { items, more: from + at + 1 < all.length };
    }
  }
  return { items, more: false };
}

/** Collects the objects that match, up to a full page. */
async function collect({ snapshot, list, limit, predicate, single, token }: Scan): Promise<ScannedItems> {
  const { matches } = predicate;
  if (single) {
    const stored = snapshot.get(single.namespace, single.name);
    return { items: stored && (matches?.(stored) ?? true) ? [stored] : [], more: false };
  }
  const range = { ...(list.namespace === '' ? {} : { namespace: list.namespace }), ...(token ? { from: token.from } : {}) };
  const items: StoredObject[] = [];
  const slice = new TimeSlice();
  let scanned = 0;
  for (const stored of snapshot.scan(range)) {
    if (limit > 0 && items.length === limit) return { items, more: true };
    if (!matches || matches(stored)) items.push(stored);
    scanned += 1;
    if (scanned % scannedBetweenYields === 0 && slice.isOver) await slice.next();
  }
  return { items, more: false };
}
