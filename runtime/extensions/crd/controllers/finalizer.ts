import { isStatusError } from '../../../machinery/errors/status.ts';
import type { ResourceDefinition } from '../../../machinery/resource.ts';
import type { ResourceStore } from '../../../resources/resource-store.ts';
import type { DeleteRequest, Writer } from '../../../resources/rest.ts';

/** How many deletions are under way at once; they share durable commits. */
const atOnce = 256;

/**
 * Deletes every object of a resource, and resolves when none is left: those with finalizers stay until whoever owns
 * these lets go. (pkg/controller/finalizer/crd_finalizer.go deleteInstances)
 *
 * @param signal gives up waiting
 */
export async function deleteInstances(
  { store, definition }: { readonly store: ResourceStore; readonly definition: ResourceDefinition },
  writer: Writer,
  signal: AbortSignal,
): Promise<void> {
  const objects = [...store.collection.latest().scan()];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < objects.length && !signal.aborted) {
      const { namespace, name, uid } = objects[next++];
      await deleteOne({ namespace, name, preconditions: { uid } });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, objects.length) }, work));
  await nothingLeft(store, signal);

  async function deleteOne(request: DeleteRequest): Promise<void> {
    try {
      await store.delete(definition, request, writer);
    } catch (error) {
      // gone, or another object of the name, which came when this one was gone
      if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
    }
  }
}

function nothingLeft({ collection }: ResourceStore, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop = (): void => undefined;
    const giveUp = (): void => {
      stop();
      reject(signal.reason);
    };
    const look = (): void => {
      if (collection.latest().count() > 0) return;
      stop();
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    if (signal.aborted) {
      giveUp();
      return;
    }
    stop = collection.watch({
      after: collection.latest().revision,
      onEvent: ({ type }) => {
        if (type === 'DELETED') look();
      },
    });
    signal.addEventListener('abort', giveUp, { once: true });
    look();
  });
}
