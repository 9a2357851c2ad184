import { isObject, mapMembers } from '../load/json.ts';
import { gvkKey } from '../load/normal-form/form.ts';
import { httpMethods, type OpenApiDocument, type PathItem } from '../load/openapi.ts';
import { actionVerbs } from '../load/resources.ts';
import type { VerbName } from '../model/model.ts';
import { camelCase, pascalCase } from '../model/names.ts';

/** A kind that is declared without paths. */
export interface KindDeclaration {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The id of the kind's component: `com.example.factory.v1.Robot`. */
  readonly component: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly subresources: readonly ('status' | 'scale')[];
  /** The verbs of the resource; undefined for all. */
  readonly verbs?: readonly VerbName[] | undefined;
}

/** The resource whose paths are the template: it has every verb and subresource. */
const example = { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', tag: 'AppsV1' };

/**
 * Returns the paths that Kubernetes would serve for a resource: Deployment's paths with the names changed.
 *
 * @param apps the document of apps/v1
 */
export function standardPaths(kinds: readonly KindDeclaration[], apps: OpenApiDocument): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const [first] = kinds;
  if (first === undefined) return paths;
  const { group, version } = first;
  const root = `/apis/${example.group}/${example.version}/`;
  paths[`/apis/${group}/${version}/`] = renamed(apps.paths[root] ?? {}, first);
  for (const kind of kinds) {
    for (const [path, item] of Object.entries(apps.paths)) {
      const rest = ofExample(path, kind);
      if (rest === undefined) continue;
      const allowed = withVerbs(item, kind.verbs);
      if (allowed === undefined) continue;
      const scoped = kind.namespaced ? allowed : withoutNamespace(allowed);
      paths[`/apis/${group}/${version}/${rest}`] = renamed(scoped, kind);
    }
  }
  return paths;
}

/**
 * Returns the part of a template's path behind the group-version, changed for this kind; undefined if the kind has no
 * such path.
 */
function ofExample(path: string, { plural, namespaced, subresources }: KindDeclaration): string | undefined {
  const match = new RegExp(
    `^/apis/${example.group}/${example.version}/(watch/)?(namespaces/\\{namespace\\}/)?${example.plural}(/\\{name\\})?(?:/(.*))?$`,
  ).exec(path);
  if (match === null) return undefined;
  const [, watch = '', namespace = '', name = '', subresource] = match;
  if (subresource !== undefined && !subresources.some((own) => own === subresource)) return undefined;
  // Cluster-scoped resources have only the paths that a namespaced resource has within a namespace.
  if (!namespaced && namespace === '') return undefined;
  const below = subresource === undefined ? '' : `/${subresource}`;
  return `${watch}${namespaced ? namespace : ''}${plural}${name}${below}`;
}

/** Returns the operations of some verbs; undefined if there are none. */
function withVerbs(item: PathItem, verbs: readonly VerbName[] | undefined): PathItem | undefined {
  if (verbs === undefined) return item;
  const refused = httpMethods.filter((method) => {
    const action = item[method]?.['x-kubernetes-action'];
    return action !== undefined && !verbs.some((verb) => verb === actionVerbs[action]);
  });
  const left = Object.entries(item).filter(([key]) => !refused.some((method) => method === key));
  return httpMethods.some((method) => left.some(([key]) => key === method)) ? Object.fromEntries(left) : undefined;
}

function withoutNamespace(item: PathItem): PathItem {
  const parameters = item.parameters?.filter(({ name }) => name !== 'namespace');
  return mapMembers({ ...item, ...(parameters && { parameters }) }, (member, key) =>
    key === 'operationId' && typeof member === 'string' ? member.replace('Namespaced', '') : member,
  );
}

/** Returns the path item with another kind in place of the example's. */
function renamed(item: PathItem, { group, version, kind, component }: KindDeclaration): PathItem {
  const tag = `${pascalCase(group)}${pascalCase(version)}`;
  return mapMembers(item, (member, key) => {
    if (key === gvkKey && isObject(member) && member.group === example.group && member.kind === example.kind)
      return { group, kind, version };
    if (typeof member !== 'string') return member;
    switch (key) {
      case '$ref':
        return member.replace(`io.k8s.api.apps.v1.${example.kind}`, () => component);
      case 'tags':
        return member.replace(`${example.group}_${example.version}`, `${camelCase(group)}_${version}`);
      case 'operationId':
        return member.replace(example.tag, tag).replace(example.kind, kind);
      default:
        return member;
    }
  });
}
