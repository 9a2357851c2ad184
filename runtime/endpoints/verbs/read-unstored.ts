import { encodeJson } from '../../codec/json.ts';
import { parseListOptions } from '../../http/options/read-options.ts';
import { respondBytes } from '../../http/respond.ts';
import { methodNotAllowed } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { DetachedObject } from '../../storage/object-store/detached-object.ts';
import { negotiateEncoding } from '../encodings/negotiate.ts';
import { selectionPredicate } from '../list/selection-predicate.ts';
import { streamList } from '../list/stream-list.ts';
import type { ResourceRequest } from '../resource-request.ts';

/** Sends an object that is not stored but made by the strategy. */
export async function getUnstored(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, name } = request;
  if (store.strategy.get === undefined) throw methodNotAllowed(definition, 'get');
  const encoding = await negotiateEncoding(request, 'object');
  const object = await store.strategy.get(name);
  await respondBytes(ctx, 200, encoding.contentType, encoding.encode(object));
}

/** Sends a list of objects that are not stored. Selectors apply, and there are no pages. */
export async function listUnstored(request: ResourceRequest): Promise<void> {
  const { ctx, definition, store, name } = request;
  if (store.strategy.list === undefined) throw methodNotAllowed(definition, 'list');
  const options = parseListOptions(ctx.state.query);
  const encoding = await negotiateEncoding(request, 'list');
  const { matches } = selectionPredicate(definition, options, name);
  const objects = await store.strategy.list();
  const items = objects.map((object) => new UnstoredObject(object)).filter((item) => matches?.(item) ?? true);
  await streamList(ctx, encoding.contentType, encoding.encodeList(items, { resourceVersion: '' }));
}

/** An object without uid and revision, for the encodings of lists. */
class UnstoredObject extends DetachedObject {
  readonly #item: Uint8Array;

  constructor(object: KubeObject) {
    const { name = '', namespace = '', labels = {} } = object.metadata;
    super({
      namespace,
      name,
      labels,
      uid: '',
      revision: 0,
      createRevision: 0,
      json: encodeJson(object),
      fields: { 'metadata.name': name, 'metadata.namespace': namespace },
      changesWhenRead: false,
      transformError: undefined,
      decodeError: undefined,
    });
    const { apiVersion: _, kind: __, ...content } = object;
    this.#item = encodeJson(content);
  }

  override get itemLength(): number {
    return this.#item.length;
  }

  override writeItem(target: Uint8Array, offset: number): number {
    target.set(this.#item, offset);
    return offset + this.#item.length;
  }
}
