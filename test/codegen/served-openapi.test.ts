import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { documentHash } from '../../codegen/emit/openapi-document.ts';
import { catalog } from '../../generated/v1.35/catalog.ts';
import { formatGroupVersion } from '../../runtime/machinery/gvk.ts';
import type { MergeSchema } from '../../runtime/machinery/schema/merge-schema.ts';
import { describeShared } from '../support/shared.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents are only compared
type Node = any;

const json = async (file: string): Promise<Node> => JSON.parse(await readFile(file, 'utf8'));
const groupVersions = catalog.groupVersions.map((each) => [formatGroupVersion(each), each] as const);

function* walk(node: Node): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const part of Object.values(node)) yield* walk(part);
}

function danglingRefs(document: Node): string[] {
  const dangling: string[] = [];
  for (const { $ref } of walk(document)) {
    if (typeof $ref !== 'string') continue;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((node: Node, step: string) => node?.[step], document);
    if (target === undefined) dangling.push($ref);
  }
  return dangling;
}

describe('the documents of /openapi', () => {
  test.each(groupVersions)(
    '%s: the file exists, has the hash of the catalog, and resolves its references itself',
    async (_, { openapi }) => {
      const text = await readFile(openapi?.file ?? '', 'utf8');
      expect(documentHash(text)).toBe(openapi?.hash);
      expect(danglingRefs(JSON.parse(text))).toEqual([]);
    },
  );

  test('enums of Go have their values, in both versions', async () => {
    const { definitions } = await json(catalog.openapiV2 ?? '');
    const core = catalog.groupVersions.find(({ group }) => group === '');
    const { components } = await json(core?.openapi?.file ?? '');
    for (const schemas of [definitions, components.schemas]) {
      const property = (type: string, field: string): Node => schemas[`io.k8s.api.core.v1.${type}`].properties[field];
      expect(property('Container', 'imagePullPolicy').enum).toEqual(['Always', 'IfNotPresent', 'Never']);
      expect(property('PodStatus', 'qosClass').enum).toEqual(['BestEffort', 'Burstable', 'Guaranteed']);
      expect(property('ServiceSpec', 'ipFamilies').items.enum).toEqual(['', 'IPv4', 'IPv6']);
      expect(property('PersistentVolumeClaimStatus', 'allocatedResourceStatuses').additionalProperties.enum).toContainEqual(
        'NodeResizePending',
      );
      expect(property('PodCondition', 'type')).not.toHaveProperty('enum');
    }
  });

  test('v2 has every path and type of the v3 documents, and every reference resolves', async () => {
    const v2 = await json(catalog.openapiV2 ?? '');
    expect(v2.swagger).toBe('2.0');
    expect(danglingRefs(v2)).toEqual([]);
    for (const [, { openapi }] of groupVersions) {
      const v3 = await json(openapi?.file ?? '');
      expect(Object.keys(v3.paths).filter((path) => !(path in v2.paths))).toEqual([]);
      expect(Object.keys(v3.components.schemas).filter((name) => !(name in v2.definitions))).toEqual([]);
    }
  });

  // the shared documents were written without OpenAPIEnums and with all alpha features
  describeShared('v3 equals upstream, except for descriptions, enums and CBOR', (shared) => {
    test.each(groupVersions)('%s', async (name, { openapi }) => {
      const path = name.includes('/') ? `apis/${name}` : `api/${name}`;
      const upstream = await json(join(shared, `schemas/v1.35/openapi/${path}.json`));
      const served = await json(openapi?.file ?? '');
      expect(facts(served.paths)).toEqual(facts(upstream.paths));
      expect(facts(served.components.schemas)).toEqual(facts(upstream.components.schemas));
    });
  });
});

function facts(node: Node): Node {
  if (Array.isArray(node)) return node.map(facts);
  if (typeof node !== 'object' || node === null) return node;
  const isFact = ([key, value]: [string, Node]): boolean =>
    !(key === 'description' && typeof value === 'string') &&
    !(key === 'enum' && Array.isArray(value)) &&
    !/^application\/.*\bcbor\b/.test(key);
  const entries = Object.entries(node).filter(isFact);
  return Object.fromEntries(entries.map(([key, value]) => [key, facts(value)]));
}

describe('merge schemas agree with the documents', () => {
  test.each(groupVersions)('%s', async (_, groupVersion) => {
    const { schemas } = (await json(groupVersion.openapi?.file ?? '')).components;
    const differences: string[] = [];
    for (const definition of await groupVersion.load()) {
      const root = Object.values(schemas).find((schema: Node) =>
        schema['x-kubernetes-group-version-kind']?.some(
          (gvk: Node) => gvk.kind === definition.kind && gvk.group === definition.group && gvk.version === definition.version,
        ),
      );
      differences.push(...compare(definition.kind, root, definition.type.merge, schemas, new Set()));
    }
    expect(differences).toEqual([]);
  });
});

function keyDefaults({ items, 'x-kubernetes-list-map-keys': keys = [] }: Node, schemas: Node): Node {
  const ref: string | undefined = items?.$ref ?? items?.allOf?.[0]?.$ref;
  const { properties = {} } = ref === undefined ? {} : schemas[ref.split('/').at(-1) ?? ''];
  const found = keys.flatMap((key: string) => ('default' in (properties[key] ?? {}) ? [[key, properties[key].default]] : []));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns the differences between a schema and a merge schema in list types, keys, map types and patch strategies. */
function compare(path: string, given: Node, merge: MergeSchema, schemas: Node, seen: Set<string>): string[] {
  const ref: string | undefined = given?.$ref ?? given?.allOf?.[0]?.$ref;
  const name = ref?.split('/').at(-1) ?? '';
  const schema = { ...(name === '' ? {} : schemas[name]), ...given };
  if (name !== '' && seen.has(name)) return [];
  const deeper = new Set([...seen, name]);
  const facts = (...pairs: [string, unknown, unknown][]): string[] =>
    pairs
      .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other))
      .map(([what, one, other]) => `${path}: ${what} is ${JSON.stringify(one)} in the document, ${JSON.stringify(other)} here`);
  if (merge.kind === 'list')
    return [
      ...facts(
        ['type', schema.type, 'array'],
        ['list type', schema['x-kubernetes-list-type'] ?? 'atomic', merge.listType],
        ['keys', schema['x-kubernetes-list-map-keys'], merge.mapKeys],
        ['patch strategy', schema['x-kubernetes-patch-strategy'], merge.patchStrategy],
        ['defaults of keys', keyDefaults(schema, schemas), merge.keyDefaults],
        ['merge key', schema['x-kubernetes-patch-merge-key'], merge.patchMergeKey],
      ),
      ...compare(`${path}[]`, schema.items, merge.items(), schemas, deeper),
    ];
  if (merge.kind === 'map') return compare(`${path}{}`, schema.additionalProperties, merge.values(), schemas, deeper);
  if (merge.kind !== 'struct') return [];
  const properties = schema.properties ?? {};
  return [
    ...facts(
      ['fields', Object.keys(properties).sort(), Object.keys(merge.fields).sort()],
      ['map type', schema['x-kubernetes-map-type'] ?? 'granular', merge.mapType],
    ),
    ...Object.entries(properties).flatMap(([field, property]) => {
      const thunk = merge.fields[field];
      return thunk ? compare(`${path}.${field}`, property, thunk(), schemas, deeper) : [];
    }),
  ];
}
