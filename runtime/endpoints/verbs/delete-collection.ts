import { parseListOptions } from '../../http/options/read-options.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { readPage } from '../list/page.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { streamList } from '../list/stream-list.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { writerOf } from '../respond-written.ts';
import { refuseUnsafeCollection } from './delete-corrupt.ts';
import { deleteOptionsOf, deleteRequest } from './delete-options.ts';

/** How many deletions are under way at once; they share durable commits. */
const atOnce = 64;

/** DELETE of a collection: the list of what was deleted, as it was. */
export async function deleteCollection(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace } = request;
  const listOptions = parseListOptions(ctx.state.query);
  const encoding = await negotiateEncoding(request, 'list');
  const options = await deleteOptionsOf(request);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) refuseUnsafeCollection();
  const selection = selectionPredicate(definition, listOptions);
  const { items, meta } = await readPage(definition, store.collection, namespace, listOptions, selection);
  const writer = writerOf(request, (options.dryRun ?? []).length > 0);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      await deleteOne(items[next++]);
      // other requests get their turn
      if (next % atOnce === 0) await yieldToEventLoop();
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await streamList(ctx, encoding.contentType, encoding.encodeList(items, meta));

  /** What somebody else deleted meanwhile is deleted. */
  async function deleteOne(stored: StoredObject): Promise<void> {
    try {
      await store.delete(definition, deleteRequest(options, stored.namespace, stored.name), writer);
    } catch (error) {
      if (!isStatusError(error) || error.status.reason !== 'NotFound') throw error;
    }
  }
}
