import { descriptions } from '../../machinery/descriptions.ts';
import { defined } from '../../machinery/json/defined.ts';

export type Schema = Readonly<Record<string, unknown>>;

export const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const info = 'io.k8s.apimachinery.pkg.version.Info';

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
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
    required: ['major', 'minor', 'gitVersion', 'gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform'],
  },
};

/** Returns the names of a type and of all types that it refers to. */
export function withReferences(name: string, found = new Set<string>()): string[] {
  if (found.has(name)) return [];
  found.add(name);
  for (const [, other = ''] of JSON.stringify(types[name]).matchAll(/#\/components\/schemas\/([^"]+)/g)) {
    withReferences(other, found);
  }
  return [...found].sort();
}

/** Returns the schema of a type in version 3. */
export function schemaOf(name: string): Schema {
  const facts = types[name];
  if (facts === undefined) throw new RangeError(`no type ${name}`);
  const { properties, required, kind } = facts;
  const fields = Object.entries(properties).map(([field, schema]) => {
    const description = descriptions.field(Object.hasOwn(typeMeta, field) ? `${meta}.TypeMeta` : name, field);
    return [field, { ...defined({ description }), ...schema }];
  });
  const description = descriptions.type(name);
  return {
    ...defined({ description }),
    type: 'object',
    required,
    properties: Object.fromEntries(fields),
    ...(kind === undefined ? {} : kindOf(kind)),
  };
}
