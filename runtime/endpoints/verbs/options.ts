import type { RequestInfo } from '../../http/request-info.ts';
import { respondBytes } from '../../http/respond.ts';
import type { ResourceDefinition, Verb } from '../../machinery/resource.ts';
import type { ResourceRequest } from '../dispatch.ts';

const methods: Readonly<Record<Verb, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

const ofCollections: ReadonlySet<Verb> = new Set(['list', 'watch', 'create', 'deletecollection']);
const ofObjects: ReadonlySet<Verb> = new Set(['get', 'update', 'patch', 'delete']);

/** OPTIONS of a resource: 204, and its methods in Allow. */
export async function tellOptions({ ctx, definition, info }: ResourceRequest): Promise<void> {
  const allowed = new Set(verbsOf(definition, info).map((verb) => methods[verb]));
  ctx.res.setHeader('Allow', [...allowed].sort().join(', '));
  await respondBytes(ctx, 204, 'application/json', new Uint8Array());
}

function verbsOf({ subresources, verbs, namespaced }: ResourceDefinition, info: RequestInfo): readonly Verb[] {
  if (info.subresource !== '') return subresources.find(({ name }) => name === info.subresource)?.verbs ?? [];
  const all = namespaced && info.namespace === '' && info.name === '';
  if (all) return verbs.filter((verb) => verb === 'list' || verb === 'watch');
  return verbs.filter((verb) => (info.name === '' ? ofCollections : ofObjects).has(verb));
}
