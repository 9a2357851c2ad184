import { type GetOptions, parseExactGetOptions, parseGetOptions } from '../../http/options/read-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { notFoundOrCorrupt } from '../../resources/corrupt-objects.ts';
import { checkKey } from '../../resources/resource-store.ts';
import { viewOf } from '../../resources/views.ts';
import type { CollectionSnapshot } from '../../storage/object-store/contract.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';
import { anySnapshot, parseResourceVersion, requireResourceVersion, snapshotAt, snapshotNotOlderThan } from '../list/snapshots.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** Sends one object. Returns a promise only if it must wait, which is rare. */
export function getResource(request: ResourceRequest): void | Promise<void> {
  const { query } = request.ctx.state;
  const options = request.scope.keepsHistory ? parseExactGetOptions(query) : parseGetOptions(query);
  const encoding = negotiateEncoding(request, 'object');
  const snapshot = snapshotFor(request, options);
  if (!(encoding instanceof Promise || snapshot instanceof Promise)) return send(request, encoding, snapshot);
  return Promise.all([encoding, snapshot]).then(([ready, read]) => send(request, ready, read));
}

function send(request: ResourceRequest, encoding: ResponseEncoding, snapshot: CollectionSnapshot): void | Promise<void> {
  const { ctx, definition, namespace, name } = request;
  checkKey(definition, namespace, name);
  const stored = snapshot.get(namespace, name);
  if (stored === undefined) throw notFoundOrCorrupt(request.store.collection, definition, { namespace, name });
  const view = viewOf(definition, stored);
  if (!(view instanceof Promise)) return respondBytes(ctx, 200, encoding.contentType, encoding.encodeStored(view));
  return view.then((one) => respondBytes(ctx, 200, encoding.contentType, encoding.encodeStored(one)));
}

/**
 * Reads the most recent version if the resourceVersion is unset, any version for "0", and otherwise one that is not older, or
 * exactly that.
 */
function snapshotFor(
  { ctx, store }: ResourceRequest,
  { resourceVersion, isExact }: GetOptions,
): CollectionSnapshot | Promise<CollectionSnapshot> {
  // a read of etcd parses the version itself
  if (!store.collection.resource.isUncached) requireResourceVersion(resourceVersion);
  if (isExact) return snapshotAt(store.collection, resourceVersion, ctx.state.signal);
  if (resourceVersion === '') return store.collection.mostRecent();
  if (parseResourceVersion(resourceVersion) === 0) return anySnapshot(store.collection, ctx.state.readsAt);
  return snapshotNotOlderThan(store.collection, resourceVersion, ctx.state.signal);
}
