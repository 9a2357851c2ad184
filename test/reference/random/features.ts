import type { Request } from './exchange.ts';

/** Features by the verb of a request without a subresource. */
const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'replace', DELETE: 'delete' };

const patches: Readonly<Record<string, string>> = {
  'application/json-patch+json': 'JSON patch',
  'application/merge-patch+json': 'merge patch',
  'application/strategic-merge-patch+json': 'strategic merge patch',
  'application/apply-patch+yaml': 'server-side apply',
  'application/apply-patch+cbor': 'server-side apply',
};

/** Names the feature of kube-apiserver that a request is about, for example `server-side apply` or `subresource scale`. */
export function featureOf({ method, path, contentType = '', accept = '' }: Request, collection: string): string {
  const [place, query = ''] = path.split('?');
  if (collection === '' || !place.startsWith(collection)) return 'other paths';
  const [, name, subresource] = place.slice(collection.length).split('/');
  if (subresource !== undefined) return `subresource ${subresource}`;
  if (method === 'PATCH') return patches[contentType] ?? 'other patches';
  if (method === 'DELETE' && !name) return 'delete collection';
  if (method !== 'GET') return verbs[method] ?? method;
  if (/(^|&)watch=/.test(query)) return 'watch';
  if (accept.includes('as=Table')) return 'read as a table';
  if (accept.includes('as=Partial')) return 'read metadata';
  return name ? 'get' : 'list';
}
