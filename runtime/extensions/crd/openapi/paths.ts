import type { CustomResourceDefinition, Version } from '../api-helpers.ts';
import type { Dialect, Json } from './dialect.ts';
import { modelName } from './schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const scaleModel = 'io.k8s.api.autoscaling.v1.Scale';
const forms = ['application/json', 'application/yaml'];
const patches = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

type Parameters = readonly (readonly [name: string, type: string])[];

const list: Parameters = [
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
const written: Parameters = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
];
const patched: Parameters = [...written, ['force', 'boolean']];
const deleted: Parameters = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
];

interface Operation {
  readonly action: string;
  /** The id without the group-version, as `listNamespaced`. */
  readonly before: string;
  readonly after: string;
  readonly parameters?: Parameters;
  readonly body?: string;
  readonly bodyTypes?: readonly string[];
  readonly bodyRequired?: boolean;
  readonly answer: string;
  readonly codes?: readonly (readonly [code: number, description: string])[];
}

/** Every path of one version, with its operations. (builder.go generateBuilder) */
export function pathsOf(crd: CustomResourceDefinition, version: Version, dialect: Dialect): Map<string, Json> {
  const { group, names, scope } = crd.spec;
  const namespaced = scope === 'Namespaced';
  const scoped = namespaced ? 'Namespaced' : '';
  const object = modelName(crd, version, names.kind);
  const objects = modelName(crd, version, names.listKind ?? '');
  const root = `/apis/${group}/${version.name}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${names.plural}` : `${root}/${names.plural}`;
  const where = namespaced ? ['namespace'] : [];
  const build = (parameters: readonly string[], operations: Readonly<Record<string, Operation>>): Json => ({
    parameters: [
      ...parameters.map((name) => dialect.parameter(name, 'path', 'string')),
      dialect.parameter('pretty', 'query', 'string'),
    ],
    ...Object.fromEntries(
      Object.entries(operations).map(([method, one]) => [method, operationOf(crd, version, one, dialect)]),
    ),
  });
  const paths = new Map<string, Json>();
  if (namespaced) {
    const everywhere = { action: 'list', before: 'list', after: 'ForAllNamespaces', parameters: list, answer: objects };
    paths.set(`${root}/${names.plural}`, build([], { get: everywhere }));
  }
  paths.set(
    collection,
    build(where, {
      get: { action: 'list', before: 'list', after: scoped, parameters: list, answer: objects },
      post: { ...write('post', 'create', scoped, object), codes: [ok, created, accepted] },
      delete: {
        action: 'deletecollection',
        before: 'delete',
        after: `Collection${scoped}`,
        parameters: [...list, ...deleted],
        answer: `${meta}.Status`,
      },
    }),
  );
  paths.set(
    `${collection}/{name}`,
    build([...where, 'name'], {
      ...part(scoped, '', object),
      delete: {
        action: 'delete',
        before: 'delete',
        after: scoped,
        parameters: deleted,
        body: `${meta}.DeleteOptions`,
        answer: `${meta}.Status`,
        codes: [ok, accepted],
      },
    }),
  );
  const { status, scale } = version.subresources ?? {};
  if (status) paths.set(`${collection}/{name}/status`, build([...where, 'name'], part(scoped, 'Status', object)));
  if (scale) paths.set(`${collection}/{name}/scale`, build([...where, 'name'], part(scoped, 'Scale', scaleModel)));
  return paths;
}

const ok = [200, 'OK'] as const;
const created = [201, 'Created'] as const;
const accepted = [202, 'Accepted'] as const;

function write(action: string, verb: string, after: string, object: string): Operation {
  return { action, before: verb, after, parameters: written, body: object, bodyRequired: true, answer: object };
}

function part(scoped: string, suffix: string, object: string): Record<string, Operation> {
  const after = suffix === '' ? scoped : `${scoped}|${suffix}`;
  return {
    get: { action: 'get', before: 'read', after, parameters: [['resourceVersion', 'string']], answer: object },
    put: { ...write('put', 'replace', after, object), codes: [ok, created] },
    patch: {
      action: 'patch',
      before: 'patch',
      after,
      parameters: patched,
      body: `${meta}.Patch`,
      bodyTypes: patches,
      bodyRequired: true,
      answer: object,
    },
  };
}

function operationOf(crd: CustomResourceDefinition, version: Version, one: Operation, dialect: Dialect): Json {
  const { group, names } = crd.spec;
  const [scoped, suffix = ''] = one.after.split('|');
  const words = group.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const title = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  const versionTitle = version.name[0].toUpperCase() + version.name.slice(1);
  const ending = scoped === 'ForAllNamespaces' ? `${names.kind}ForAllNamespaces` : `${scoped}${names.kind}${suffix}`;
  const parameters = (one.parameters ?? []).map(([name, type]) => dialect.parameter(name, 'query', type));
  const consumes = one.bodyTypes ?? forms;
  const { parameters: bodyParameters = [], ...body } =
    one.body === undefined ? {} : dialect.body(one.body, consumes, one.bodyRequired ?? false);
  const isScale = one.answer === scaleModel;
  return {
    operationId: `${one.before}${title}${versionTitle}${ending}`,
    tags: [`${title[0].toLowerCase()}${title.slice(1)}_${version.name}`],
    ...dialect.operation(consumes, forms),
    parameters: [...parameters, ...(bodyParameters as Json[])],
    ...body,
    responses: {
      ...Object.fromEntries(
        (one.codes ?? [ok]).map(([code, description]) => [code, dialect.response(description, one.answer, forms)]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': one.action,
    'x-kubernetes-group-version-kind': isScale
      ? { group: 'autoscaling', kind: 'Scale', version: 'v1' }
      : { group, kind: names.kind, version: version.name },
  };
}
