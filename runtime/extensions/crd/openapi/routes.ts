import { defined } from '../../../machinery/json/defined.ts';

/** An operation of a custom resource, without resource-specific facts. */
export interface Route {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** x-kubernetes-action */
  readonly action: Action;
  /** The prefix of the operationId. */
  readonly verb: string;
  /** The path after the collection: `/{name}`, perhaps with a subresource. */
  readonly path: '' | '/{name}' | '/{name}/status' | '/{name}/scale';
  readonly subresource?: 'status' | 'scale';
  readonly forAllNamespaces?: boolean;
  readonly response: Model;
  readonly body?: Model;
}

export type Action = 'get' | 'list' | 'put' | 'post' | 'patch' | 'delete' | 'deletecollection';

/** The role of a schema: the object, its list, or a schema that all resources share. */
export type Model = 'object' | 'list' | 'Scale' | 'Status' | 'DeleteOptions' | 'Patch';

/** (pkg/controller/openapi/builder/builder.go generateBuilder) */
export function routesOf(namespaced: boolean, subresources: { status?: unknown; scale?: unknown } = {}): Route[] {
  const list = { method: 'get', action: 'list', verb: 'list', path: '', response: 'list' } as const;
  return [
    ...(namespaced ? [{ ...list, forAllNamespaces: true }] : []),
    list,
    { method: 'post', action: 'post', verb: 'create', path: '', response: 'object', body: 'object' },
    { method: 'delete', action: 'deletecollection', verb: 'delete', path: '', response: 'Status' },
    ...readAndWrite('object', '/{name}'),
    {
      method: 'delete',
      action: 'delete',
      verb: 'delete',
      path: '/{name}',
      response: 'Status',
      body: 'DeleteOptions',
    },
    ...(subresources.status ? readAndWrite('object', '/{name}/status', 'status') : []),
    ...(subresources.scale ? readAndWrite('Scale', '/{name}/scale', 'scale') : []),
  ];
}

function readAndWrite(model: Model, path: Route['path'], subresource?: Route['subresource']): Route[] {
  const common = { path, response: model, ...defined({ subresource }) };
  return [
    { method: 'get', action: 'get', verb: 'read', ...common },
    { method: 'put', action: 'put', verb: 'replace', body: model, ...common },
    { method: 'patch', action: 'patch', verb: 'patch', body: 'Patch', ...common },
  ];
}

type Parameters = readonly (readonly [name: string, type: string])[];

const listOptions: Parameters = [
  ['allowWatchBookmarks', 'boolean'],
  ['continue', 'string'],
  ['fieldSelector', 'string'],
  ['labelSelector', 'string'],
  ['limit', 'integer'],
  ['resourceVersion', 'string'],
  ['resourceVersionMatch', 'string'],
  ['sendInitialEvents', 'boolean'],
  ['timeoutSeconds', 'integer'],
  ['watch', 'boolean'],
];
const writeOptions: Parameters = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
];
const deleteOptions: Parameters = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
];

/** The query parameters of an action, beside `pretty`. */
export const optionsOf: Readonly<Record<Action, Parameters>> = {
  get: [['resourceVersion', 'string']],
  list: listOptions,
  deletecollection: listOptions,
  put: writeOptions,
  post: writeOptions,
  patch: [...writeOptions, ['force', 'boolean']],
  delete: deleteOptions,
};

type Code = readonly [code: number, description: string];
const ok: Code = [200, 'OK'];
const created: Code = [201, 'Created'];
const accepted: Code = [202, 'Accepted'];

export function codesOf(action: Action): readonly Code[] {
  switch (action) {
    case 'post':
      return [ok, created, accepted];
    case 'put':
      return [ok, created];
    case 'delete':
      return [ok, accepted];
    default:
      return [ok];
  }
}
