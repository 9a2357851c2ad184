import { parseGetOptions } from '../../http/query.ts';
import { respondBytes } from '../../http/respond.ts';
import { notFound } from '../../machinery/status.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { freshSnapshot, parseResourceVersion } from '../reading/snapshots.ts';

/** Sends one object: its bytes, where the form is the stored one. */
export async function getResource(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  const { resourceVersion } = parseGetOptions(ctx.state.query);
  const form = await negotiateForm(request, 'object');
  const snapshot = await snapshotFor(request, resourceVersion);
  const stored = snapshot.get(namespace, name);
  if (stored === undefined) throw notFound(definition, name);
  await respondBytes(ctx, 200, form.contentType, form.one(stored));

  function snapshotFor(_request: ResourceRequest, version: string) {
    if (version === '') return store.collection.mostRecent();
    const revision = parseResourceVersion(version);
    return revision === 0 ? store.collection.latest() : freshSnapshot(store.collection, revision, ctx.state.signal);
  }
}
