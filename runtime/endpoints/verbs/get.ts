import { parseGetOptions } from '../../http/query.ts';
import { respondBytes } from '../../http/respond.ts';
import { absentError } from '../../resources/corrupt-objects.ts';
import { viewOf } from '../../resources/views.ts';
import type { Snapshot } from '../../storage/object-store/contract.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { freshSnapshot, parseResourceVersion } from '../reading/snapshots.ts';

/** Sends one object: its bytes, where the form is the stored one. */
export async function getResource(request: ResourceRequest): Promise<void> {
  const { ctx, definition, namespace, name } = request;
  const { resourceVersion } = parseGetOptions(ctx.state.query);
  const form = await negotiateForm(request, 'object');
  const snapshot = await snapshotFor(request, resourceVersion);
  const stored = snapshot.get(namespace, name);
  if (stored === undefined) throw absentError(request.store, definition, { namespace, name });
  await respondBytes(ctx, 200, form.contentType, form.one(await viewOf(definition, stored)));
}

/** Unset: the most recent; "0": any; otherwise one not older. */
function snapshotFor({ ctx, store }: ResourceRequest, resourceVersion: string): Snapshot | Promise<Snapshot> {
  if (resourceVersion === '') return store.collection.mostRecent();
  const revision = parseResourceVersion(resourceVersion);
  return revision === 0 ? store.collection.latest() : freshSnapshot(store.collection, revision, ctx.state.signal);
}
