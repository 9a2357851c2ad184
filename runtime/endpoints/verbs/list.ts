import { parseListOptions } from '../../http/options/read-options.ts';
import { negotiateEncoding, readAcceptable } from '../encodings/negotiate.ts';
import { readPage } from '../list/page.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { streamList } from '../list/stream-list.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** Sends a list, or a page of it, from encoded objects. */
export async function listResources(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  const options = parseListOptions(ctx.state.query);
  const predicate = readAcceptable(request, 'list', () => selectionPredicate(definition, options, name));
  const encoding = await negotiateEncoding(request, 'list');
  const signal = options.resourceVersion === '' ? undefined : ctx.state.signal;
  const page = {
    definition,
    collection: store.collection,
    namespace,
    options,
    predicate,
    signal,
    readsAt: ctx.state.readsAt,
  };
  const { items, meta } = await readPage(page);
  await streamList(ctx, encoding.contentType, encoding.encodeList(items, meta));
}
