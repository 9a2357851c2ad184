import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../../../generated/v1.35/catalog.ts';
import { decodeCbor, encodeCbor } from '../../../../runtime/codec/cbor.ts';
import { decodeEnvelope, isEnvelope } from '../../../../runtime/codec/protobuf.ts';
import { encodeYaml } from '../../../../runtime/codec/yaml.ts';
import { storedKinds } from '../../../../runtime/server/storage/stored-kinds.ts';
import { StorageCodec, type StorageCodecOptions } from '../../../../runtime/storage/storage-codec/storage-codec.ts';

const kinds = storedKinds(catalog);
const makeCodec = (options: Partial<StorageCodecOptions> = {}): StorageCodec =>
  new StorageCodec({ mediaType: 'application/vnd.kubernetes.protobuf', customAsCbor: false, kinds, ...options });

const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const text = (value: Uint8Array): string => Buffer.from(value).toString();
const parsed = async (value: Uint8Array | Promise<Uint8Array>): Promise<unknown> => JSON.parse(text(await value));

const configMap = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'ns' }, data: { x: 'y' } };
const robot = { kind: 'Robot', apiVersion: 'example.com/v1', metadata: { name: 'a' }, spec: { n: 1 } };

describe('a built-in kind', () => {
  test('is protobuf, unless the media type is another one', async () => {
    const stored = await makeCodec().encode(bytes(configMap));
    expect(decodeEnvelope(stored)).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', contentType: '' });
    const asJson = await makeCodec({ mediaType: 'application/json' }).encode(bytes(configMap));
    expect(JSON.parse(text(asJson))).toEqual(configMap);
    const asYaml = await makeCodec({ mediaType: 'application/yaml' }).encode(bytes(configMap));
    expect(text(asYaml)).toMatch(/^apiVersion: v1\ndata:\n {2}x: "y"\n/);
  });

  test.each<[string, (value: object) => Uint8Array | Promise<Uint8Array>]>([
    ['JSON as Go writes it', (value) => Buffer.from(`${JSON.stringify(value)}\n`)],
    ['JSON in another order', (value) => bytes(Object.fromEntries(Object.entries(value).reverse()))],
    ['YAML', encodeYaml],
    ['CBOR', encodeCbor],
    ['protobuf', (value) => makeCodec().encode(bytes(value))],
  ])('is read from %s, whatever the media type is', async (_, write) => {
    const stored = await write(configMap);
    const codec = makeCodec({ mediaType: 'application/json' });
    expect(text(await codec.decode(stored))).toBe(JSON.stringify(configMap));
  });

  test.each([
    [
      'of an API group that shares its storage',
      {
        kind: 'Event',
        apiVersion: 'events.k8s.io/v1',
        metadata: { name: 'e', namespace: 'ns' },
        regarding: { kind: 'Pod', name: 'p' },
        note: 'text',
        eventTime: null,
      },
      { apiVersion: 'v1', kind: 'Event', involvedObject: { kind: 'Pod', name: 'p' }, message: 'text' },
    ],
    [
      'of a version that is not that of storage',
      {
        kind: 'HorizontalPodAutoscaler',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'h', namespace: 'ns' },
        spec: { scaleTargetRef: { kind: 'X', name: 'x' }, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
        status: { currentReplicas: 1, desiredReplicas: 1 },
      },
      {
        apiVersion: 'autoscaling/v2',
        spec: {
          maxReplicas: 3,
          minReplicas: 1,
          metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 50 } } }],
        },
      },
    ],
    [
      'without defaults that came later',
      { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's', namespace: 'ns' } },
      { kind: 'Secret', type: 'Opaque' },
    ],
  ])('%s is converted, and has its defaults', async (_, object, want) => {
    for (const stored of [bytes(object), await makeCodec().encode(bytes(object))]) {
      expect(await parsed(makeCodec().decode(stored))).toMatchObject(want);
    }
  });

  test('loses fields that are not known', async () => {
    const stored = bytes({ ...configMap, later: true });
    expect(await parsed(makeCodec().decode(stored))).toEqual(configMap);
  });

  test.each<[string, Uint8Array, string]>([
    ['protobuf that is cut', Buffer.from('k8s\0\x0a\x05'), 'unexpected EOF'],
    [
      'an unknown kind',
      Buffer.from('k8s\0\x0a\x07\x0a\x02v7\x12\x01X\x12\x00', 'latin1'),
      'no kind "X" is registered for version "v7" in scheme "storage"',
    ],
    ['a field of another type', bytes({ ...configMap, data: 5 }), 'json: cannot unmarshal number into Go '],
    ['no object', Buffer.from('["a"]'), "Object 'Kind' is missing"],
    ['no kind', Buffer.from('{"metadata":{}}'), "Object 'Kind' is missing"],
  ])('is not decoded from %s', async (_, stored, message) => {
    const decode = async (): Promise<unknown> => makeCodec().decode(stored);
    await expect(decode()).rejects.toThrow(message);
  });
});

describe('a custom resource', () => {
  test('is the JSON that it was, without another copy', () => {
    const json = bytes(robot);
    expect(makeCodec().encode(json)).toBe(json);
    expect(makeCodec().decode(json)).toBe(json);
    expect(makeCodec({ mediaType: 'application/yaml' }).encode(json)).toBe(json);
  });

  test('is CBOR with the feature gate, and read with and without it', async () => {
    const stored = await makeCodec({ customAsCbor: true }).encode(bytes(robot));
    expect(decodeCbor(stored)).toEqual(robot);
    for (const customAsCbor of [true, false]) {
      const codec = makeCodec({ customAsCbor });
      expect(await parsed(codec.decode(stored))).toEqual(robot);
      expect(await parsed(codec.decode(bytes(robot)))).toEqual(robot);
    }
  });

  test('is read as Go writes it, without the newline and a resourceVersion', async () => {
    const { kind, apiVersion, metadata, spec } = robot;
    const go = JSON.stringify({ apiVersion, kind, metadata, spec });
    expect(text(await makeCodec().decode(Buffer.from(`${go}\n`)))).toBe(go);
    const odd = bytes({ apiVersion, kind, metadata: { ...metadata, resourceVersion: '5' }, spec });
    expect(await parsed(makeCodec().decode(odd))).toEqual(robot);
  });

  test('keeps integers beyond 2^53', async () => {
    const json = Buffer.from(JSON.stringify(robot).replace('"n":1', '"n":9007199254740993'));
    const stored = await makeCodec({ customAsCbor: true }).encode(json);
    expect(text(await makeCodec().decode(stored))).toBe(text(json));
  });
});

const apiService = {
  kind: 'APIService',
  apiVersion: 'apiregistration.k8s.io/v1',
  metadata: { name: 'v1.' },
  spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
  status: {},
};

test('an APIService is JSON', async () => {
  const json = bytes(apiService);
  expect(await makeCodec().encode(json)).toBe(json);
  expect(await parsed(makeCodec().decode(json))).toEqual(apiService);
});

describe('a CustomResourceDefinition', () => {
  const column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
  const version = (name: string, more: object = {}) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
    ...more,
  });
  const crd = (versions: readonly object[], spec: object = {}) => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'robots.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'robots', singular: 'robot', kind: 'Robot', listKind: 'RobotList' },
      scope: 'Namespaced',
      versions,
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    },
  });

  test('is JSON of v1beta1, which has once what all versions have in common', async () => {
    const subresources = { status: {} };
    const json = bytes(crd([version('v1', { subresources }), version('v2', { additionalPrinterColumns: [column] })]));
    const stored = await makeCodec().encode(json);
    expect(isEnvelope(stored)).toBe(false);
    const { name, type, jsonPath: JSONPath } = column;
    expect(JSON.parse(text(stored))).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      spec: {
        version: 'v1',
        validation: { openAPIV3Schema: { type: 'object' } },
        versions: [
          { name: 'v1', served: true, storage: true, subresources },
          { name: 'v2', served: true, storage: false, additionalPrinterColumns: [{ name, type, JSONPath }] },
        ],
        preserveUnknownFields: false,
      },
    });
    expect(JSON.parse(text(stored)).spec).not.toHaveProperty('subresources');
  });

  test.each([
    ['with one version', crd([version('v1', { subresources: { status: {} }, additionalPrinterColumns: [column] })])],
    ['with versions that differ', crd([version('v1', { subresources: { status: {} } }), version('v2')])],
    [
      'with a webhook',
      crd([version('v1'), version('v2')], {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
        },
      }),
    ],
    ['that keeps unknown fields', crd([version('v1')], { preserveUnknownFields: true })],
  ])('%s is read as it was', async (_, definition) => {
    const json = bytes(definition);
    expect(await parsed(makeCodec().decode(await makeCodec().encode(json)))).toEqual(definition);
    expect(await parsed(makeCodec().decode(json))).toEqual(definition);
  });

  test('of the first releases has the defaults of v1beta1', async () => {
    const stored = bytes({
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'robots.example.com' },
      spec: { group: 'example.com', version: 'v1', names: { plural: 'robots', kind: 'Robot' } },
    });
    expect(await parsed(makeCodec().decode(stored))).toMatchObject({
      apiVersion: 'apiextensions.k8s.io/v1',
      spec: {
        scope: 'Namespaced',
        names: { singular: 'robot', listKind: 'RobotList' },
        versions: [{ name: 'v1', served: true, storage: true }],
        conversion: { strategy: 'None' },
        preserveUnknownFields: true,
      },
      status: { storedVersions: ['v1'] },
    });
  });
});

describe('a version that is no longer served', () => {
  const label = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';
  const matchNone = { matchExpressions: [{ key: label, operator: 'Exists' }] };
  const labels = { matchLabels: { app: 'x' } };

  test.each([
    ['nothing', {}, matchNone],
    ['everything', { matchExpressions: [{ key: label, operator: 'DoesNotExist' }] }, {}],
    ['some', labels, labels],
    ['some, without the label', { ...labels, matchExpressions: [{ key: label, operator: 'DoesNotExist' }] }, labels],
  ])('a budget of v1beta1 still selects %s', async (_, selector, want) => {
    const budget = {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1beta1',
      metadata: { name: 'b' },
      spec: { selector },
    };
    expect(await parsed(makeCodec().decode(bytes(budget)))).toMatchObject({
      apiVersion: 'policy/v1',
      spec: { selector: want },
    });
  });

  const keep = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
  test.each([
    ['v1beta2', 'assuredConcurrencyShares', 5, {}, 5],
    ['v1beta3', 'nominalConcurrencyShares', 0, {}, 30],
    ['v1beta3', 'nominalConcurrencyShares', 0, { [keep]: '', other: 'x' }, 0],
  ])('a priority level of %s with %s %d and annotations %j has %d shares', async (version, field, given, annotations, want) => {
    const level = {
      kind: 'PriorityLevelConfiguration',
      apiVersion: `flowcontrol.apiserver.k8s.io/${version}`,
      metadata: { name: 'l', annotations },
      spec: { type: 'Limited', limited: { [field]: given, limitResponse: { type: 'Reject' } } },
    };
    const read = await parsed(makeCodec().decode(bytes(level)));
    expect(read).toMatchObject({ spec: { limited: { nominalConcurrencyShares: want } } });
    expect(JSON.stringify(read)).not.toContain(keep);
  });
});

describe('a stored value is stale', () => {
  const { kind, apiVersion, ...rest } = robot;
  test.each<[string, boolean, Partial<StorageCodecOptions>, () => Uint8Array | Promise<Uint8Array>]>([
    ['not if it is what would be written', false, {}, () => makeCodec().encode(bytes(configMap))],
    ['if it has another media type', true, {}, () => bytes(configMap)],
    ['if it lacks defaults', true, { mediaType: 'application/json' }, () => bytes({ ...configMap, kind: 'Secret', data: {} })],
    ['not if it is JSON as Go orders and ends it', false, {}, () => Buffer.from(`${JSON.stringify({ apiVersion, kind, ...rest })}\n`)],
    ['if it is JSON and should be CBOR', true, { customAsCbor: true }, () => bytes(robot)],
  ])('%s', async (_, want, options, stored) => {
    expect(await makeCodec(options).isStale(await stored())).toBe(want);
  });
});
