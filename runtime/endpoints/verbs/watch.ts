import { type ListOptions, parseListOptions } from '../../http/options/read-options.ts';
import { openWatchStream } from '../../http/upgrade.ts';
import { isStatusError, methodNotAllowed, type StatusError } from '../../machinery/errors/status.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { parseResourceVersion } from '../list/snapshots.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { startOfWatch, type WatchStart } from '../watch/start.ts';
import { WatchServer } from '../watch/watch-server.ts';

/** What a timer can wait at most, in seconds: 31 bits of milliseconds. */
const longestSeconds = 2_147_483;

/**
 * Sends changes as they happen, until the client goes away or the time is up. Once the request is understood, what goes
 * wrong is an ERROR event of a stream that began well. (cacher newErrWatcher)
 */
export async function watchResources(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, scope } = request;
  const options = parseListOptions(ctx.state.query);
  const encoding = await negotiateEncoding(request, 'watch');
  const selection = selectionPredicate(definition, options, request.name);
  if (!definition.verbs.includes('watch')) throw methodNotAllowed(definition, 'watch');
  if (options.resourceVersion !== '') parseResourceVersion(options.resourceVersion);
  const start = await startOrError(request, options);
  const stream = await openWatchStream(ctx, encoding.streamType ?? encoding.contentType, encoding.isText);
  const namespace = request.namespace === '' ? selection.namespace : request.namespace;
  const session = new WatchServer({
    collection: store.collection,
    encoding,
    stream,
    selection,
    clock: scope.clock,
    bookmarks: options.allowWatchBookmarks,
    ...(definition.decoder === undefined ? {} : { decoder: definition.decoder }),
    ...(namespace === undefined ? {} : { namespace }),
    onBegun: ctx.state.onWatchInitialized,
  });
  if (isStatusError(start)) {
    session.fail(start);
    return;
  }
  ctx.state.signal.addEventListener('abort', () => session.end(), { once: true });
  const entry = scope.registry.lookup(definition.group, definition.version, definition.resource);
  const isServed = entry?.definition === definition;
  const forget = entry?.stopSignal?.onStop(() => session.end());
  if (!isServed) queueMicrotask(() => session.end());
  try {
    await session.run(start, durationOf(options, scope.minRequestTimeout));
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
