import { openWatchStream } from '../../http/message-stream.ts';
import { type ListOptions, parseListOptions } from '../../http/options/read-options.ts';
import { isStatusError, methodNotAllowed, type StatusError } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { negotiateEncoding, readAcceptable } from '../encodings/negotiate.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { requireResourceVersion } from '../list/snapshots.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { type WatchStart, watchStart } from '../watch/start.ts';
import { WatchServer } from '../watch/watch-server.ts';

/** The longest delay of a timer, 31 bits of milliseconds, in seconds. */
const maxTimeoutSeconds = 2_147_483;

/**
 * Sends changes as they happen, until the client disconnects or the watch times out. An error after the request is validated
 * becomes an ERROR event, as upstream. (cacher newErrWatcher)
 */
export async function watchResources(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, scope } = request;
  const options = parseListOptions(ctx.state.query);
  // a form that lists have and watches do not is refused after everything else
  const predicate = readAcceptable(request, 'list', () => {
    const selection = selectionPredicate(definition, options, request.name);
    if (!definition.verbs.includes('watch')) throw methodNotAllowed(definition, 'watch');
    requireResourceVersion(options.resourceVersion);
    return selection;
  });
  const encoding = await negotiateEncoding(request, 'watch');
  const start = await startOrError(request, options);
  const stream = await openWatchStream(ctx, encoding.streamType ?? encoding.contentType, encoding.isText);
  if (stream === undefined) return;
  const namespace = request.namespace === '' ? predicate.namespace : request.namespace;
  const server = new WatchServer({
    collection: store.collection,
    encoding,
    stream,
    predicate,
    clock: scope.clock,
    bookmarks: options.allowWatchBookmarks,
    emptyObject: emptyObject(store),
    ...defined({ decoder: definition.decoder, namespace }),
    onInitialized: ctx.state.onWatchInitialized,
    onSent: ctx.state.onWatchEvent,
    sent: scope.metrics?.watches.of(definition),
  });
  ctx.state.watch = server;
  if (isStatusError(start)) {
    server.fail(start);
    return;
  }
  ctx.state.signal.addEventListener('abort', () => server.end(), { once: true });
  const entry = scope.registry.lookup(definition.group, definition.version, definition.resource);
  const isServed = entry?.definition === definition;
  const removeListener = entry?.stopSignal?.onStop(() => server.end());
  if (!isServed) queueMicrotask(() => server.end());
  ctx.state.onWatch?.(server);
  try {
    await server.serve(start, timeoutOf(options, scope));
  } finally {
    removeListener?.();
  }
}

/** Returns an object without members, as a client reads it. */
function emptyObject({ strategy }: ResourceRequest['store']): KubeObject {
  const object: KubeObject = { metadata: {} };
  strategy.afterDecoding?.(object);
  return object;
}

async function startOrError({ ctx, store }: ResourceRequest, options: ListOptions): Promise<WatchStart | StatusError> {
  try {
    return await watchStart(store.collection, options, ctx.state);
  } catch (error) {
    if (isStatusError(error)) return error;
    throw error;
  }
}

/** Returns milliseconds. The default is random, so that clients do not all reconnect at the same time. */
function timeoutOf(
  { timeoutSeconds }: ListOptions,
  { minRequestTimeout, stores }: Pick<ResourceRequest['scope'], 'minRequestTimeout' | 'stores'>,
): number {
  const seconds = timeoutSeconds ? timeoutSeconds : minRequestTimeout * (1 + stores.random.float('watch-timeout'));
  return Math.min(Math.max(0, seconds), maxTimeoutSeconds) * 1000;
}
