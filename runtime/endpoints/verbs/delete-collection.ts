import { parseListOptions } from '../../http/options/read-options.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { ClientWriter } from '../client-writer.ts';
import { negotiateEncoding, readAcceptable } from '../encodings/negotiate.ts';
import { readPage } from '../list/page.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { streamList } from '../list/stream-list.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { forbidUnsafeCollection } from './delete-corrupt.ts';
import { deleteOptionsOf, deleteRequest } from './delete-options.ts';

type InTurn = <R>(write: () => Promise<R>) => Promise<R>;

/** Lets tasks that run at the same time begin their writes in the order in which the tasks began. */
class Turns {
  #previous: Promise<void> = Promise.resolve();

  async take(task: (inTurn: InTurn) => Promise<void>): Promise<void> {
    const previous = this.#previous;
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#previous = previous.then(() => done);
    try {
      await task(async (write) => {
        await previous;
        const writing = write();
        end();
        return writing;
      });
    } finally {
      end();
    }
  }
}

/** The number of concurrent deletions, which share durable commits. (deleteCollectionWorkers) */
const workers = 64;

/** Deletes the objects of a collection that match, and responds with the list of these objects as they were. */
export async function deleteCollection(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace } = request;
  const { listOptions, predicate } = readAcceptable(request, 'list', () => {
    const read = parseListOptions(ctx.state.query);
    return { listOptions: read, predicate: selectionPredicate(definition, read) };
  });
  const options = await deleteOptionsOf(request).catch((error: unknown) =>
    readAcceptable(request, 'list', () => {
      throw error;
    }),
  );
  const encoding = await negotiateEncoding(request, 'list');
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) forbidUnsafeCollection();
  const page = { definition, collection: store.collection, namespace, options: listOptions, predicate };
  const { items, meta } = await readPage(page);
  const writer = ClientWriter.deleter(request, options);
  const turns = new Turns();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      const one = item;
      await turns.take((inTurn) => deleteOne(one, inTurn));
      if (next % workers === 0) await yieldToEventLoop();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(workers, items.length) }, work));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await streamList(ctx, encoding.contentType, encoding.encodeList(items, meta));

  /** Succeeds if the object no longer exists. */
  async function deleteOne(stored: StoredObject, inTurn: InTurn): Promise<void> {
    try {
      const one = deleteRequest(options, namespace, stored.name);
      await store.delete(definition, { ...one, admittedName: '', inTurn }, writer);
    } catch (error) {
      if (!isStatusError(error) || error.status.reason !== 'NotFound') throw error;
    }
  }
}
