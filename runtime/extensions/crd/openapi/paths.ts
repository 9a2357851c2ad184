import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion as Version,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { OpenAPIDialect, OpenAPIObject } from './dialect.ts';
import { modelName } from './schema.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const scaleModel = 'io.k8s.api.autoscaling.v1.Scale';
const mediaTypes = ['application/json', 'application/yaml'];
const patchMediaTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

type Parameters = readonly (readonly [name: string, type: string])[];

const listParameters: Parameters = [
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
const writeParameters: Parameters = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
];
const patchParameters: Parameters = [...writeParameters, ['force', 'boolean']];
const deleteParameters: Parameters = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
];

interface Operation {
  readonly action: string;
  /** The operationId up to the group-version, as `list`. */
  readonly idPrefix: string;
  /** The operationId behind the group-version without the kind, as `Namespaced`, or `Namespaced|Status`. */
  readonly idSuffix: string;
  readonly parameters?: Parameters;
  readonly body?: string;
  readonly bodyTypes?: readonly string[];
  readonly bodyRequired?: boolean;
  readonly response: string;
  readonly codes?: readonly (readonly [code: number, description: string])[];
}

/** The paths of one version, with their operations. (pkg/controller/openapi/builder/builder.go) */
export function buildPaths(
  crd: CustomResourceDefinition,
  version: Version,
  dialect: OpenAPIDialect,
): Map<string, OpenAPIObject> {
  const { group, names, scope } = crd.spec;
  const namespaced = scope === 'Namespaced';
  const scopeSuffix = namespaced ? 'Namespaced' : '';
  const object = modelName(crd, version, names.kind);
  const objects = modelName(crd, version, names.listKind ?? '');
  const root = `/apis/${group}/${version.name}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${names.plural}` : `${root}/${names.plural}`;
  const pathParameters = namespaced ? ['namespace'] : [];
  const build = (parameters: readonly string[], operations: Readonly<Record<string, Operation>>): OpenAPIObject => ({
    parameters: [
      ...parameters.map((name) => dialect.parameter(name, 'path', 'string')),
      dialect.parameter('pretty', 'query', 'string'),
    ],
    ...Object.fromEntries(
      Object.entries(operations).map(([method, one]) => [method, buildOperation(crd, version, one, dialect)]),
    ),
  });
  const paths = new Map<string, OpenAPIObject>();
  if (namespaced) {
    const listForAllNamespaces = {
      action: 'list',
      idPrefix: 'list',
      idSuffix: 'ForAllNamespaces',
      parameters: listParameters,
      response: objects,
    };
    paths.set(`${root}/${names.plural}`, build([], { get: listForAllNamespaces }));
  }
  paths.set(
    collection,
    build(pathParameters, {
      get: { action: 'list', idPrefix: 'list', idSuffix: scopeSuffix, parameters: listParameters, response: objects },
      post: { ...write('post', 'create', scopeSuffix, object), codes: [ok, created, accepted] },
      delete: {
        action: 'deletecollection',
        idPrefix: 'delete',
        idSuffix: `Collection${scopeSuffix}`,
        parameters: [...listParameters, ...deleteParameters],
        response: `${meta}.Status`,
      },
    }),
  );
  paths.set(
    `${collection}/{name}`,
    build([...pathParameters, 'name'], {
      ...readAndWrite(scopeSuffix, '', object),
      delete: {
        action: 'delete',
        idPrefix: 'delete',
        idSuffix: scopeSuffix,
        parameters: deleteParameters,
        body: `${meta}.DeleteOptions`,
        response: `${meta}.Status`,
        codes: [ok, accepted],
      },
    }),
  );
  const { status, scale } = version.subresources ?? {};
  if (status)
    paths.set(
      `${collection}/{name}/status`,
      build([...pathParameters, 'name'], readAndWrite(scopeSuffix, 'Status', object)),
    );
  if (scale)
    paths.set(
      `${collection}/{name}/scale`,
      build([...pathParameters, 'name'], readAndWrite(scopeSuffix, 'Scale', scaleModel)),
    );
  return paths;
}

const ok = [200, 'OK'] as const;
const created = [201, 'Created'] as const;
const accepted = [202, 'Accepted'] as const;

function write(action: string, verb: string, idSuffix: string, object: string): Operation {
  return {
    action,
    idPrefix: verb,
    idSuffix,
    parameters: writeParameters,
    body: object,
    bodyRequired: true,
    response: object,
  };
}

function readAndWrite(scopeSuffix: string, subresource: string, object: string): Record<string, Operation> {
  const idSuffix = subresource === '' ? scopeSuffix : `${scopeSuffix}|${subresource}`;
  return {
    get: { action: 'get', idPrefix: 'read', idSuffix, parameters: [['resourceVersion', 'string']], response: object },
    put: { ...write('put', 'replace', idSuffix, object), codes: [ok, created] },
    patch: {
      action: 'patch',
      idPrefix: 'patch',
      idSuffix,
      parameters: patchParameters,
      body: `${meta}.Patch`,
      bodyTypes: patchMediaTypes,
      bodyRequired: true,
      response: object,
    },
  };
}

function buildOperation(
  crd: CustomResourceDefinition,
  version: Version,
  one: Operation,
  dialect: OpenAPIDialect,
): OpenAPIObject {
  const { group, names } = crd.spec;
  const [scope, subresource = ''] = one.idSuffix.split('|');
  const words = group.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const title = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  const versionTitle = version.name[0].toUpperCase() + version.name.slice(1);
  const kindSuffix =
    scope === 'ForAllNamespaces' ? `${names.kind}ForAllNamespaces` : `${scope}${names.kind}${subresource}`;
  const parameters = (one.parameters ?? []).map(([name, type]) => dialect.parameter(name, 'query', type));
  const consumes = one.bodyTypes ?? mediaTypes;
  const { parameters: bodyParameters = [], ...body } =
    one.body === undefined ? {} : dialect.body(one.body, consumes, one.bodyRequired ?? false);
  const isScale = one.response === scaleModel;
  return {
    operationId: `${one.idPrefix}${title}${versionTitle}${kindSuffix}`,
    tags: [`${title[0].toLowerCase()}${title.slice(1)}_${version.name}`],
    ...dialect.operation(consumes, mediaTypes),
    parameters: [...parameters, ...(bodyParameters as OpenAPIObject[])],
    ...body,
    responses: {
      ...Object.fromEntries(
        (one.codes ?? [ok]).map(([code, description]) => [
          code,
          dialect.response(description, one.response, mediaTypes),
        ]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': one.action,
    'x-kubernetes-group-version-kind': isScale
      ? { group: 'autoscaling', kind: 'Scale', version: 'v1' }
      : { group, kind: names.kind, version: version.name },
  };
}
