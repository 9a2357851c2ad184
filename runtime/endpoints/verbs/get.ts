import { parseGetOptions } from '../../http/options/read-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { notFoundOrCorrupt } from '../../resources/corrupt-objects.ts';
import { viewOf } from '../../resources/views.ts';
import type { Snapshot } from '../../storage/object-store/contract.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import type { ResponseEncoding } from '../encodings/response-encoding.ts';
import { freshSnapshot, parseResourceVersion } from '../list/snapshots.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** Sends one object: its bytes, where the encoding is the stored one. Most of these answers wait for nothing. */
export function getResource(request: ResourceRequest): void | Promise<void> {
  const { resourceVersion } = parseGetOptions(request.ctx.state.query);
  const encoding = negotiateEncoding(request, 'object');
  const snapshot = snapshotFor(request, resourceVersion);
  if (!(encoding instanceof Promise || snapshot instanceof Promise)) return send(request, encoding, snapshot);
  return Promise.all([encoding, snapshot]).then(([made, fresh]) => send(request, made, fresh));
}

function send(request: ResourceRequest, encoding: ResponseEncoding, snapshot: Snapshot): void | Promise<void> {
  const { ctx, definition, namespace, name } = request;
  const stored = snapshot.get(namespace, name);
  if (stored === undefined) throw notFoundOrCorrupt(request.store.collection, definition, { namespace, name });
  const view = viewOf(definition, stored);
  if (!(view instanceof Promise)) return respondBytes(ctx, 200, encoding.contentType, encoding.encodeStored(view));
  return view.then((one) => respondBytes(ctx, 200, encoding.contentType, encoding.encodeStored(one)));
}

/** Unset: the most recent; "0": any; otherwise one not older. */
function snapshotFor({ ctx, store }: ResourceRequest, resourceVersion: string): Snapshot | Promise<Snapshot> {
  if (resourceVersion === '') return store.collection.mostRecent();
  if (parseResourceVersion(resourceVersion) === 0) return store.collection.latest();
  return freshSnapshot(store.collection, resourceVersion, ctx.state.signal);
}
