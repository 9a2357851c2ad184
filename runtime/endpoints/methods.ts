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

const ofCollections: ReadonlySet<Verb> = new Set(['list', 'watch', 'create', 'deletecollection']);
const ofObjects: ReadonlySet<Verb> = new Set(['get', 'update', 'patch', 'delete']);
const ofAllNamespaces: ReadonlySet<Verb> = new Set(['list', 'watch']);

/**
 * The methods that a path has; none where nothing is routed there. Objects in a namespace are named below one, and all
 * namespaces at once can only be read. (apiserver pkg/endpoints/installer.go)
 */
export function methodsAt(definition: ResourceDefinition, info: RequestInfo): ReadonlySet<string> {
  const { subresource, verbInPath, namespace, parts } = info;
  if (subresource !== '' || verbInPath) return methodsOf(definition, info);
  let known = knownMethods.get(definition);
  if (known === undefined) {
    known = [];
    knownMethods.set(definition, known);
  }
  const shape = (namespace === '' ? 0 : 1) + (parts.length > 1 ? 2 : 0);
  known[shape] ??= methodsOf(definition, info);
  return known[shape];
}

/** Of the four shapes that paths of resources have: with a namespace or without, with a name or without. */
const knownMethods = new WeakMap<ResourceDefinition, ReadonlySet<string>[]>();

function methodsOf(definition: ResourceDefinition, info: RequestInfo): ReadonlySet<string> {
  if (info.verbInPath) return new Set(isWatchPath(definition, info) ? ['GET'] : []);
  return new Set(verbsAt(definition, info).map((verb) => methodOfVerb[verb]));
}

/** The old forms: /api/v1/watch/pods is still there, for objects and not for their parts; /api/v1/proxy/nodes/n is not. */
function isWatchPath(definition: ResourceDefinition, info: RequestInfo): boolean {
  const isObjectOrMany = info.subresource === '' && !isMisplaced(definition, info);
  return info.verb === 'watch' && isObjectOrMany && definition.verbs.includes('watch');
}

function verbsAt(definition: ResourceDefinition, info: RequestInfo): readonly Verb[] {
  const { subresources, verbs, namespaced } = definition;
  if (isMisplaced(definition, info)) return [];
  if (info.subresource !== '') return subresources.find(({ name }) => name === info.subresource)?.verbs ?? [];
  const inAllNamespaces = namespaced && info.namespace === '';
  const fitting = inAllNamespaces ? ofAllNamespaces : isNamed(info) ? ofObjects : ofCollections;
  return verbs.filter((verb) => fitting.has(verb));
}

/** The parts tell what the path says: a selector of one name is a name as well. */
const isNamed = (info: RequestInfo): boolean => info.parts.length > 1;

function isMisplaced({ namespaced, resource }: ResourceDefinition, info: RequestInfo): boolean {
  if (!namespaced) return info.namespace !== '' && resource !== 'namespaces';
  return info.namespace === '' && (isNamed(info) || info.subresource !== '');
}
