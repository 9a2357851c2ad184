import { parseListOptions } from '../../http/options/list-options.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { negotiateForm } from '../forms/forms.ts';
import { readPage } from '../reading/page.ts';
import { selectionOf } from '../reading/selection.ts';
import { streamList } from '../reading/stream-list.ts';

/** Sends a list, or a page of one, from encoded objects. */
export async function listResources(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, namespace, name } = request;
  const options = parseListOptions(ctx.state.query);
  const form = await negotiateForm(request, 'list');
  const selection = selectionOf(definition, options, name);
  const signal = options.resourceVersion === '' ? undefined : ctx.state.signal;
  const { items, meta } = await readPage(definition, store.collection, namespace, options, selection, signal);
  await streamList(ctx, form.contentType, form.list(items, meta));
}
