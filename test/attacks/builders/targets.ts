import type { Request } from '../harness/attack.ts';

const core = '/api/v1/namespaces/default';
const group = 'attacks.example.com';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A resource that is attacked: its path, and a valid object as JSON members. */
export interface Target {
  readonly name: string;
  readonly path: string;
  /** The object's members, without metadata. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The object's metadata.name. */
  readonly object: string;
}

const attacked = 'attacked';
const labels = { app: attacked };
const container = { name: 'main', image: 'busybox' };

export const configMaps: Target = {
  name: 'configmaps',
  path: `${core}/configmaps`,
  members: { apiVersion: 'v1', kind: 'ConfigMap' },
  object: attacked,
};

export const deployments: Target = {
  name: 'deployments',
  path: '/apis/apps/v1/namespaces/default/deployments',
  members: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  },
  object: attacked,
};

export const pods: Target = {
  name: 'pods',
  path: `${core}/pods`,
  members: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [container] } },
  object: attacked,
};

/** Custom resources with unrestricted spec and status. */
export const gadgets: Target = {
  name: 'gadgets',
  path: `/apis/${group}/v1/namespaces/default/gadgets`,
  members: { apiVersion: `${group}/v1`, kind: 'Gadget' },
  object: attacked,
};

/** Custom resources with a schema; unknown fields are pruned. */
export const widgets: Target = {
  name: 'widgets',
  path: `/apis/${group}/v1/namespaces/default/widgets`,
  members: { apiVersion: `${group}/v1`, kind: 'Widget' },
  object: attacked,
};

export const crds: Target = {
  name: 'customresourcedefinitions',
  path: definitions,
  members: definitionMembers('Thing', {}),
  object: `things.${group}`,
};

/** Returns the members of a definition in the attacks' group, with one version. */
export function definitionMembers(kind: string, spec: object, version: object = {}): Record<string, unknown> {
  const singular = kind.toLowerCase();
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const first = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: anything }, ...version };
  const names = { plural: `${singular}s`, singular, kind, listKind: `${kind}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: { group, scope: 'Namespaced', names, versions: [first], ...spec },
  };
}

/** Returns the request that creates a definition permanently. Its objects have the schema below spec. */
export function define(kind: string, spec: object): Request {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return post(definitions, {
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    ...definitionMembers(kind, {}, { schema }),
  });
}

const item = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, value: { type: 'string' } },
};

/** The definitions of `gadgets` and `widgets`. */
export const defineCustom: readonly Request[] = [
  define('Gadget', { 'x-kubernetes-preserve-unknown-fields': true }),
  define('Widget', {
    type: 'object',
    properties: {
      text: { type: 'string' },
      numbers: { type: 'array', items: { type: 'integer' } },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      items: {
        type: 'array',
        items: item,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      choice: { type: 'string', enum: Array.from({ length: 1_000 }, (_, at) => `choice-${at}`) },
    },
  }),
];
export const servesCustom: readonly string[] = [gadgets.path, widgets.path];

export function post(path: string, object: object): Request {
  return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) };
}

/** Returns a path with dry run, so that nothing is stored. */
export const dry = (path: string, more = ''): string => `${path}?dryRun=All${more}`;
