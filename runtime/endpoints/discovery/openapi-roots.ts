import { descriptions } from '../../machinery/descriptions.ts';
import { groupOperation } from '../../machinery/openapi-operation-id.ts';

/** What the documents of one server have in common. */
export interface DocumentHead {
  readonly openapi: string;
  readonly info: unknown;
  readonly securitySchemes?: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const info = 'io.k8s.apimachinery.pkg.version.Info';
const standardMediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/**
 * The OpenAPI v3 documents of what is no group-version, by their paths below /openapi/v3: the lists of groups and versions,
 * and /version.
 */
export function rootDocuments(groups: readonly string[], head: DocumentHead): Map<string, object> {
  const documents = new Map<string, object>();
  const add = (path: string, { schema, ...operation }: RootOperation): void => {
    documents.set(path, documentOf(`/${path}/`, schema, operation, head));
  };
  for (const group of groups) {
    if (group === '') add('api', coreVersions);
    else add(`apis/${group}`, { ...groupOperation(group), schema: `${meta}.APIGroup`, mediaTypes: standardMediaTypes });
  }
  add('apis', {
    operationId: 'getAPIVersions',
    tag: 'apis',
    schema: `${meta}.APIGroupList`,
    mediaTypes: standardMediaTypes,
  });
  add('version', { operationId: 'getCodeVersion', tag: 'version', schema: info, mediaTypes: ['application/json'] });
  return documents;
}

interface RootOperation {
  readonly operationId: string;
  readonly tag: string;
  readonly schema: string;
  readonly mediaTypes: readonly string[];
}

const coreVersions: RootOperation = {
  operationId: 'getCoreAPIVersions',
  tag: 'core',
  schema: `${meta}.APIVersions`,
  mediaTypes: standardMediaTypes,
};

function documentOf(
  path: string,
  schema: string,
  { operationId, tag, mediaTypes }: Omit<RootOperation, 'schema'>,
  { openapi, info: about, securitySchemes }: DocumentHead,
): object {
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: ref(schema) }]));
  const responses = { 200: { description: 'OK', content }, 401: { description: 'Unauthorized' } };
  return {
    openapi,
    info: about,
    paths: { [path]: { get: { tags: [tag], operationId, responses } } },
    components: {
      schemas: Object.fromEntries(withReferences(schema).map((name) => [name, described(name)])),
      ...(securitySchemes === undefined ? {} : { securitySchemes }),
    },
  };
}

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const object = (name: string): Schema => ({ allOf: [ref(name)], default: {} });
const list = (items: Schema): Schema => ({ type: 'array', items, 'x-kubernetes-list-type': 'atomic' });
const optional: Schema = { type: 'string' };
const text: Schema = { type: 'string', default: '' };
const typeMeta = { apiVersion: optional, kind: optional };
const kindOf = (kind: string): Schema => ({ 'x-kubernetes-group-version-kind': [{ group: '', kind, version: 'v1' }] });
const addresses = list(object(`${meta}.ServerAddressByClientCIDR`));

interface TypeFacts {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly kind?: string;
}

const types: Readonly<Record<string, TypeFacts>> = {
  [`${meta}.APIVersions`]: {
    kind: 'APIVersions',
    properties: { ...typeMeta, serverAddressByClientCIDRs: addresses, versions: list(text) },
    required: ['versions', 'serverAddressByClientCIDRs'],
  },
  [`${meta}.APIGroupList`]: {
    kind: 'APIGroupList',
    properties: { ...typeMeta, groups: list(object(`${meta}.APIGroup`)) },
    required: ['groups'],
  },
  [`${meta}.APIGroup`]: {
    kind: 'APIGroup',
    properties: {
      ...typeMeta,
      name: text,
      preferredVersion: object(`${meta}.GroupVersionForDiscovery`),
      serverAddressByClientCIDRs: addresses,
      versions: list(object(`${meta}.GroupVersionForDiscovery`)),
    },
    required: ['name', 'versions'],
  },
  [`${meta}.GroupVersionForDiscovery`]: {
    properties: { groupVersion: text, version: text },
    required: ['groupVersion', 'version'],
  },
  [`${meta}.ServerAddressByClientCIDR`]: {
    properties: { clientCIDR: text, serverAddress: text },
    required: ['clientCIDR', 'serverAddress'],
  },
  [info]: {
    properties: {
      buildDate: text,
      compiler: text,
      emulationMajor: optional,
      emulationMinor: optional,
      gitCommit: text,
      gitTreeState: text,
      gitVersion: text,
      goVersion: text,
      major: text,
      minCompatibilityMajor: optional,
      minCompatibilityMinor: optional,
      minor: text,
      platform: text,
    },
    required: [
      'major',
      'minor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ],
  },
};

function withReferences(name: string, found = new Set<string>()): string[] {
  if (found.has(name)) return [];
  found.add(name);
  for (const [, other] of JSON.stringify(types[name]).matchAll(/#\/components\/schemas\/([^"]+)/g)) {
    withReferences(other, found);
  }
  return [...found].sort();
}

function described(name: string): Schema {
  const { properties, required, kind } = types[name];
  const fields = Object.entries(properties).map(([field, schema]) => {
    const description = descriptions.field(Object.hasOwn(typeMeta, field) ? `${meta}.TypeMeta` : name, field);
    return [field, { ...(description === undefined ? {} : { description }), ...schema }];
  });
  const description = descriptions.type(name);
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    required,
    properties: Object.fromEntries(fields),
    ...(kind === undefined ? {} : kindOf(kind)),
  };
}
