import { type ListOptions, parseListOptions } from '../../http/query.ts';
import { openWatchStream } from '../../http/upgrade.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { selectionOf } from '../reading/selection.ts';
import { WatchSession } from '../watching/session.ts';
import { startOfWatch } from '../watching/start.ts';

/** Sends changes as they happen, until the client goes away or the time is up. */
export async function watchResources(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace, deps } = request;
  const options: ListOptions = { ...parseListOptions(ctx.state.query), watch: true };
  const form = await negotiateForm(request, 'watch');
  const selection = selectionOf(definition, options, request.name);
  const start = await startOfWatch(store.collection, options, ctx.state.signal);
  const stream = await openWatchStream(ctx, form.streamType ?? form.contentType, form.text);
  const session = new WatchSession({
    collection: store.collection,
    form,
    stream,
    selection,
    clock: deps.clock,
    bookmarks: options.allowWatchBookmarks,
    ...(namespace === '' ? {} : { namespace }),
  });
  ctx.state.signal.addEventListener('abort', () => session.end(), { once: true });
  await session.run(start, durationOf(options, deps.minRequestTimeout));
}

/** In milliseconds. Watches that name no end last a random time, so that they do not all come back at once. */
function durationOf({ timeoutSeconds }: ListOptions, minRequestTimeout: number): number {
  const seconds = timeoutSeconds ? timeoutSeconds : minRequestTimeout * (1 + Math.random());
  return seconds * 1000;
}
