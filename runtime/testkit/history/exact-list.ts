import type { Query, RestClient } from '../../client/rest-client.ts';
import type { JsonObject, ObjectMeta } from '../../machinery/object.ts';

/** An object as JSON, with typed metadata. */
export interface ListedObject extends JsonObject {
  metadata: ObjectMeta & JsonObject;
}

interface ObjectList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly ListedObject[];
}

const pageSize = 500;

/** Returns the objects below a path at a revision, and the revision. Default: the current one. @throws StatusError */
export async function exactList(
  client: RestClient,
  path: string,
  { revision, ...selectors }: { readonly revision?: number | undefined } & Query,
): Promise<{ readonly revision: number; readonly items: readonly ListedObject[] }> {
  const items: ListedObject[] = [];
  const begin: Query = revision === undefined ? {} : { resourceVersion: revision, resourceVersionMatch: 'Exact' };
  for (let place = begin; ; ) {
    const query = { ...selectors, ...place, limit: pageSize };
    const page = await client.request<ObjectList>({ method: 'GET', path, query });
    items.push(...page.items);
    const { metadata } = page;
    if (!metadata.continue) return { revision: Number(metadata.resourceVersion), items };
    place = { continue: metadata.continue };
  }
}
