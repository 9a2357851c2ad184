import type { RequestInfo } from '../http/request-info.ts';
import type { ResourceDefinition, Verb } from '../machinery/resource.ts';

const methodOfVerb: Readonly<Record<Verb, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

const collectionVerbs: ReadonlySet<Verb> = new Set(['list', 'watch', 'create', 'deletecollection']);
const objectVerbs: ReadonlySet<Verb> = new Set(['get', 'update', 'patch', 'delete']);
const allNamespacesVerbs: ReadonlySet<Verb> = new Set(['list', 'watch']);

/**
 * Returns the methods of a path, which are none if the path has no route. The paths of namespaced objects contain the
 * namespace, and a path for all namespaces can only be read. (apiserver pkg/endpoints/installer.go)
 */
export function methodsAt(definition: ResourceDefinition, info: RequestInfo): ReadonlySet<string> {
  const { subresource, verbInPath, hasNamespace, parts } = info;
  if (subresource !== '' || verbInPath) return methodsOf(definition, info);
  let known = knownMethods.get(definition);
  if (known === undefined) {
    known = [];
    knownMethods.set(definition, known);
  }
  const shape = (hasNamespace ? 1 : 0) + (parts.length > 1 ? 2 : 0);
  known[shape] ??= methodsOf(definition, info);
  return known[shape];
}

/** By shape of the path, of which there are four: with a namespace or without, with a name or without. */
const knownMethods = new WeakMap<ResourceDefinition, ReadonlySet<string>[]>();

function methodsOf(definition: ResourceDefinition, info: RequestInfo): ReadonlySet<string> {
  if (info.verbInPath) return new Set(isWatchPath(definition, info) ? ['GET'] : []);
  return new Set(verbsAt(definition, info).map((verb) => methodOfVerb[verb]));
}

/** The deprecated /api/v1/watch/pods still exists, except for subresources; /api/v1/proxy/nodes/n does not. */
function isWatchPath(definition: ResourceDefinition, info: RequestInfo): boolean {
  const isMainResource = info.subresource === '' && !isMisplaced(definition, info);
  return info.verb === 'watch' && isMainResource && definition.verbs.includes('watch');
}

function verbsAt(definition: ResourceDefinition, info: RequestInfo): readonly Verb[] {
  const { subresources, verbs, namespaced } = definition;
  if (isMisplaced(definition, info)) return [];
  if (info.subresource !== '') return subresources.find(({ name }) => name === info.subresource)?.verbs ?? [];
  const inAllNamespaces = namespaced && !info.hasNamespace;
  const possible = inAllNamespaces ? allNamespacesVerbs : isNamed(info) ? objectVerbs : collectionVerbs;
  return verbs.filter((verb) => possible.has(verb));
}

/** Looks at the path, because `info.name` may come from a field selector. */
const isNamed = (info: RequestInfo): boolean => info.parts.length > 1;

function isMisplaced({ namespaced, resource }: ResourceDefinition, info: RequestInfo): boolean {
  if (!namespaced) return info.hasNamespace && resource !== 'namespaces';
  return !info.hasNamespace && (isNamed(info) || info.subresource !== '');
}
