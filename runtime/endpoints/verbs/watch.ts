import { type ListOptions, parseListOptions } from '../../http/options/list-options.ts';
import { openWatchStream } from '../../http/upgrade.ts';
import { isStatusError, methodNotAllowed, type StatusError } from '../../machinery/status.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { selectionOf } from '../reading/selection.ts';
import { parseResourceVersion } from '../reading/snapshots.ts';
import { WatchSession } from '../watching/session.ts';
import { startOfWatch, type WatchStart } from '../watching/start.ts';

/** What a timer can wait at most, in seconds: 31 bits of milliseconds. */
const longestSeconds = 2_147_483;

/**
 * Sends changes as they happen, until the client goes away or the time is up. Once the request is understood, what goes
 * wrong is an ERROR event of a stream that began well. (cacher newErrWatcher)
 */
export async function watchResources(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, deps } = request;
  const options = parseListOptions(ctx.state.query);
  const form = await negotiateForm(request, 'watch');
  const selection = selectionOf(definition, options, request.name);
  if (!definition.verbs.includes('watch')) throw methodNotAllowed(definition, 'watch');
  if (options.resourceVersion !== '') parseResourceVersion(options.resourceVersion);
  const start = await startOrError(request, options);
  const stream = await openWatchStream(ctx, form.streamType ?? form.contentType, form.text);
  const namespace = request.namespace === '' ? selection.namespace : request.namespace;
  const session = new WatchSession({
    collection: store.collection,
    form,
    stream,
    selection,
    clock: deps.clock,
    bookmarks: options.allowWatchBookmarks,
    ...(definition.reading === undefined ? {} : { reading: definition.reading }),
    ...(namespace === undefined ? {} : { namespace }),
    onBegun: ctx.state.onWatchBegun,
  });
  if (isStatusError(start)) {
    session.fail(start);
    return;
  }
  ctx.state.signal.addEventListener('abort', () => session.end(), { once: true });
  const entry = deps.registry.lookup(definition.group, definition.version, definition.resource);
  const isServed = entry?.definition === definition;
  const forget = entry?.ending?.onEnd(() => session.end());
  if (!isServed) queueMicrotask(() => session.end());
  try {
    await session.run(start, durationOf(options, deps.minRequestTimeout));
  } finally {
    forget?.();
  }
}

async function startOrError({ ctx, store }: ResourceRequest, options: ListOptions): Promise<WatchStart | StatusError> {
  try {
    return await startOfWatch(store.collection, options, ctx.state.signal);
  } catch (error) {
    if (isStatusError(error)) return error;
    throw error;
  }
}

/** In milliseconds. Watches that name no end last a random time, so that they do not all come back at once. */
function durationOf({ timeoutSeconds }: ListOptions, minRequestTimeout: number): number {
  const seconds = timeoutSeconds ? timeoutSeconds : minRequestTimeout * (1 + Math.random());
  return Math.min(Math.max(0, seconds), longestSeconds) * 1000;
}
