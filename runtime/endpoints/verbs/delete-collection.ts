import { parseListOptions } from '../../http/options/read-options.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { readPage } from '../list/page.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { streamList } from '../list/stream-list.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { writerOf } from '../write-result.ts';
import { forbidUnsafeCollection } from './delete-corrupt.ts';
import { deleteOptionsOf, deleteRequest } from './delete-options.ts';

/** How many deletions run at the same time; they share durable commits. (deleteCollectionWorkers) */
const workers = 64;

/** Deletes the objects of a collection that match, and responds with the list of these objects as they were. */
export async function deleteCollection(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace } = request;
  const listOptions = parseListOptions(ctx.state.query);
  const encoding = await negotiateEncoding(request, 'list');
  const options = await deleteOptionsOf(request);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) forbidUnsafeCollection();
  const predicate = selectionPredicate(definition, listOptions);
  const page = { definition, collection: store.collection, namespace, options: listOptions, predicate };
  const { items, meta } = await readPage(page);
  const writer = writerOf(request, (options.dryRun ?? []).length > 0);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      await deleteOne(items[next++]);
      if (next % workers === 0) await yieldToEventLoop();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(workers, items.length) }, work));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await streamList(ctx, encoding.contentType, encoding.encodeList(items, meta));

  /** Succeeds if the object no longer exists. */
  async function deleteOne(stored: StoredObject): Promise<void> {
    try {
      await store.delete(definition, deleteRequest(options, stored.namespace, stored.name), writer);
    } catch (error) {
      if (!isStatusError(error) || error.status.reason !== 'NotFound') throw error;
    }
  }
}
