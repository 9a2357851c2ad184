import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../../machinery/object.ts';

/**
 * Decodes the discovery documents of other servers, which are not trusted: only members that clients know are kept, and
 * each must have its type. (apidiscovery.k8s.io/v2, meta/v1)
 */

/** APIResourceDiscovery by group and version, as `group/version`. */
export type Resources = ReadonlyMap<string, readonly JsonObject[]>;

/** Decodes an APIGroupDiscoveryList of v2 or v2beta1, which have the same members. @throws Error */
export function decodeGroupDiscoveryList(document: Json): Resources {
  const result = new Map<string, JsonObject[]>();
  for (const group of objects(document, 'items')) {
    const name = text(member(group, 'metadata') ?? {}, 'name');
    for (const version of objects(group, 'versions')) {
      result.set(`${name}/${text(version, 'version')}`, objects(version, 'resources').map(resource));
    }
  }
  return result;
}

function resource(from: JsonObject): JsonObject {
  const subresources = objects(from, 'subresources').map((one) => ({
    subresource: text(one, 'subresource'),
    responseKind: responseKind(one),
    verbs: texts(one, 'verbs'),
  }));
  return {
    resource: text(from, 'resource'),
    responseKind: responseKind(from),
    scope: text(from, 'scope'),
    singularResource: text(from, 'singularResource'),
    ...names(from),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

/** Decodes an APIResourceList. (apiserver pkg/endpoints ConvertGroupVersionIntoToDiscovery) @throws Error */
export function decodeResourceList(document: Json): JsonObject[] {
  const all = objects(document, 'resources').map((one) => ({ from: one, path: text(one, 'name').split('/', 2) }));
  const parents = new Map<string, JsonObject>();
  for (const { from, path } of all) {
    const [name = ''] = path;
    if (path.length > 1) continue;
    parents.set(name, {
      resource: name,
      responseKind: kindOf(from),
      scope: scopeOf(from),
      singularResource: text(from, 'singularName'),
      ...names(from),
    });
  }
  for (const { from, path } of all) {
    const [name = '', subresource] = path;
    if (subresource === undefined) continue;
    const scope = scopeOf(from);
    const parent: JsonObject = parents.get(name) ?? {
      resource: name,
      responseKind: noKind,
      scope,
      singularResource: '',
      verbs: [],
    };
    parents.set(name, parent);
    if (parent.scope !== scope) throw new Error(`the scopes of ${name} and ${name}/${subresource} do not match`);
    const known = (parent.subresources ?? []) as JsonObject[];
    const responseKind = text(from, 'kind') === '' ? noKind : kindOf(from);
    parent.subresources = [...known, { subresource, responseKind, verbs: texts(from, 'verbs') }];
  }
  return [...parents.values()];
}

const noKind: JsonObject = { group: '', version: '', kind: '' };

const scopeOf = (from: JsonObject): string => (from.namespaced === true ? 'Namespaced' : 'Cluster');

const kindOf = (from: JsonObject): JsonObject => ({
  group: text(from, 'group'),
  version: text(from, 'version'),
  kind: text(from, 'kind'),
});

/** Adds a responseKind, which old clients need. */
function responseKind(from: JsonObject): JsonObject {
  const kind = member(from, 'responseKind');
  return kind === undefined ? noKind : kindOf(kind);
}

function names(from: JsonObject): JsonObject {
  const [shortNames, categories] = [texts(from, 'shortNames'), texts(from, 'categories')];
  return {
    verbs: texts(from, 'verbs'),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

function text(from: JsonObject, name: string): string {
  const value = from[name] ?? '';
  if (typeof value !== 'string') throw new Error(`${name} is no text`);
  return value;
}

function texts(from: JsonObject, name: string): string[] {
  const value = from[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw new Error(`${name} is no list of texts`);
  return value as string[];
}

function member(from: JsonObject, name: string): JsonObject | undefined {
  const value = from[name] ?? undefined;
  if (value !== undefined && !isJsonObject(value)) throw new Error(`${name} is no object`);
  return value;
}

function objects(from: Json, name: string): JsonObject[] {
  const value = isJsonObject(from) ? (from[name] ?? []) : undefined;
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw new Error(`${name} is no list of objects`);
  return value as JsonObject[];
}
