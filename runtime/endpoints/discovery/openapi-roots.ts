import type { OpenApiMembers } from '../../machinery/catalog.ts';
import { descriptions } from '../../machinery/descriptions.ts';
import { groupOperation } from '../../machinery/openapi-operation-id.ts';
import { info, meta, ref, type Schema, schemaOf, withReferences } from './openapi-root-types.ts';

/** The common members of all documents of a server. */
export interface DocumentHead {
  readonly openapi: string;
  readonly info: unknown;
  readonly securitySchemes: Readonly<Record<string, unknown>>;
}

/** A GET operation outside of the group-versions. */
export interface RootOperation {
  /** Such as `apis/apps`. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  /** The name of the response's type. Default: a string. */
  readonly type?: string;
  readonly mediaTypes: readonly string[];
}

const standardMediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Returns the operations of discovery, of /version, and of the documents for verifying service account tokens. */
export function rootOperations(groups: readonly string[]): RootOperation[] {
  return [
    ...groups.map((group): RootOperation => {
      if (group === '') return coreVersions;
      const path = `apis/${group}`;
      return { path, ...groupOperation(group), type: `${meta}.APIGroup`, mediaTypes: standardMediaTypes };
    }),
    ...fixedOperations,
  ];
}

const coreVersions: RootOperation = {
  path: 'api',
  operationId: 'getCoreAPIVersions',
  tag: 'core',
  type: `${meta}.APIVersions`,
  mediaTypes: standardMediaTypes,
};

const fixedOperations: readonly RootOperation[] = [
  {
    path: 'apis',
    operationId: 'getAPIVersions',
    tag: 'apis',
    type: `${meta}.APIGroupList`,
    mediaTypes: standardMediaTypes,
  },
  { path: 'version', operationId: 'getCodeVersion', tag: 'version', type: info, mediaTypes: ['application/json'] },
  {
    path: '.well-known/openid-configuration',
    operationId: 'getServiceAccountIssuerOpenIDConfiguration',
    tag: 'WellKnown',
    mediaTypes: ['application/json'],
  },
  {
    path: 'openid/v1/jwks',
    operationId: 'getServiceAccountIssuerOpenIDKeyset',
    tag: 'openid',
    mediaTypes: ['application/jwk-set+json'],
  },
];

const unauthorized = { description: 'Unauthorized' };
const anyText: Schema = { type: 'string' };

/** Returns the OpenAPI v3 documents outside of the group-versions, by their paths below /openapi/v3. */
export function rootDocuments(operations: readonly RootOperation[], head: DocumentHead): Map<string, object> {
  return new Map(operations.map((operation) => [operation.path, documentOf(operation, head)]));
}

function documentOf(
  { path, operationId, tag, type, mediaTypes }: RootOperation,
  { openapi, info: about, securitySchemes }: DocumentHead,
): object {
  const schema = type === undefined ? anyText : ref(type);
  const content = Object.fromEntries([...mediaTypes].sort().map((mediaType) => [mediaType, { schema }]));
  const responses = { 200: { description: 'OK', content }, 401: unauthorized };
  const types = type === undefined ? [] : withReferences(type);
  return {
    openapi,
    info: about,
    paths: { [`/${path}/`]: { get: { ...descriptionOf(operationId), tags: [tag], operationId, responses } } },
    components: {
      ...(types.length === 0 ? {} : { schemas: Object.fromEntries(types.map((name) => [name, schemaOf(name)])) }),
      securitySchemes,
    },
  };
}

/** Returns the same operations as members of the OpenAPI v2 document. */
export function rootMembers(operations: readonly RootOperation[]): OpenApiMembers {
  const types = new Set(operations.flatMap(({ type }) => (type === undefined ? [] : withReferences(type))));
  return {
    paths: new Map(operations.map((operation) => [`/${operation.path}/`, v2Text({ get: v2Operation(operation) })])),
    schemas: new Map([...types].map((name) => [name, v2Text(schemaOf(name))])),
  };
}

function v2Operation({ operationId, tag, type, mediaTypes }: RootOperation): object {
  return {
    ...descriptionOf(operationId),
    ...(type === undefined ? {} : { consumes: mediaTypes }),
    produces: mediaTypes,
    schemes: ['https'],
    tags: [tag],
    operationId,
    responses: {
      200: { description: 'OK', schema: type === undefined ? anyText : ref(type) },
      401: unauthorized,
    },
  };
}

function descriptionOf(operationId: string): { description?: string } {
  const description = descriptions.root(operationId.endsWith('APIGroup') ? 'getAPIGroup' : operationId);
  return description === undefined ? {} : { description };
}

/** Encodes a value for version 2, which has no defaults and unwrapped references. */
function v2Text(value: object): string {
  const text = JSON.stringify(value, (key, inner) => {
    if (key === 'default') return undefined;
    if (!Array.isArray(inner?.allOf)) return inner;
    const { allOf, ...rest } = inner;
    return { ...rest, ...allOf[0] };
  });
  return text.replaceAll('#/components/schemas/', '#/definitions/');
}
