import { describe, expect, test } from '@jest/globals';
import { pruneCustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/prune.ts';
import { pruneDeployment } from '../../../../generated/v1.35/apps/v1/prune.ts';
import { pruneConfigMap, prunePod, pruneSecret, pruneService } from '../../../../generated/v1.35/core/v1/prune.ts';
import { pruneClusterRole } from '../../../../generated/v1.35/rbac.authorization.k8s.io/v1/prune.ts';
import { isDecodeError } from '../../../../runtime/machinery/errors/decode-error.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import { expectLinear, workOn } from '../../../support/growth.ts';

const prune = <T>(read: (value: unknown, context: PruneContext) => T, value: unknown): T => read(value, new PruneContext());

/** As text, because the order of fields matters. */
const text = (value: unknown): string => JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));

function failure(read: (value: unknown, context: PruneContext) => unknown, value: unknown): string {
  try {
    prune(read, value);
  } catch (error) {
    if (isDecodeError(error)) return error.message;
    throw error;
  }
  return 'nothing was thrown';
}

describe('the canonical form is what Go writes', () => {
  test('structs that are not pointers are present, filled in at every level', () => {
    expect(text(prune(pruneDeployment, {}))).toBe(
      '{"metadata":{},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    );
  });

  test('null, absence and the zero value of omitempty are the same', () => {
    const given = { spec: { type: '', ports: [], selector: {}, publishNotReadyAddresses: false, clusterIP: null } };
    expect(text(prune(pruneService, given))).toBe('{"metadata":{},"spec":{},"status":{"loadBalancer":{}}}');
  });

  test('pointers keep their zero value', () => {
    const given = { spec: { replicas: 0, paused: false, revisionHistoryLimit: null } };
    expect(prune(pruneDeployment, given).spec).toMatchObject({ replicas: 0 });
    expect(text(prune(pruneDeployment, given))).not.toContain('paused');
  });

  test('lists without omitempty are null when absent, and empty when empty', () => {
    expect(text(prune(pruneClusterRole, {}))).toBe('{"metadata":{},"rules":null}');
    expect(text(prune(pruneClusterRole, { rules: [] }))).toBe('{"metadata":{},"rules":[]}');
  });

  test('fields are in order, kind and apiVersion first, map keys sorted', () => {
    const given = { data: { b: '1', a: '2' }, metadata: { name: 'x' }, apiVersion: 'v1', kind: 'ConfigMap' };
    expect(text(prune(pruneConfigMap, given))).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"},"data":{"a":"2","b":"1"}}',
    );
  });

  test('map keys are in the order of their UTF-8 bytes', () => {
    const keys = Object.keys(prune(pruneConfigMap, { data: { '\u{1f600}': '', '\uff5e': '', z: '' } }).data ?? {});
    expect(keys).toEqual(['z', '\uff5e', '\u{1f600}']);
  });

  test('scalars are in their canonical form', () => {
    const given = {
      metadata: { creationTimestamp: '2024-01-01T02:00:00.5+02:00', generation: 9007199254740993n },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: 0.5, memory: '1024Mi' } } }] },
    };
    const pod = prune(prunePod, given);
    expect(pod.metadata).toEqual({ generation: 9007199254740993n, creationTimestamp: '2024-01-01T00:00:00Z' });
    expect(pod.spec?.containers?.[0].resources?.limits).toEqual({ cpu: '500m', memory: '1Gi' });
    expect(prune(pruneSecret, { data: { a: 'aGk=\n', b: null } }).data).toEqual({ a: 'aGk=', b: '' });
  });

  test('zero times are null, but a zero creationTimestamp is omitted', () => {
    const given = {
      metadata: { creationTimestamp: null },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    };
    expect(text(prune(prunePod, given))).toBe(
      '{"metadata":{},"spec":{"containers":null},"status":{"conditions":[{"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":null}]}}',
    );
  });

  test('names of inherited members are ordinary data', () => {
    const given = JSON.parse('{"data":{"__proto__":"a","constructor":"b"},"toString":"c"}');
    const pruned = prune(pruneConfigMap, given);
    expect(text(pruned)).toBe('{"metadata":{},"data":{"__proto__":"a","constructor":"b"}}');
    expect(Object.getPrototypeOf(pruned.data)).toBe(Object.prototype);
  });

  test('the input is not changed', () => {
    const given = Object.freeze({ spec: Object.freeze({ replicas: 1, foo: 1 }), bar: null });
    prune(pruneDeployment, given);
    expect(given).toEqual({ spec: { replicas: 1, foo: 1 }, bar: null });
  });

  test('the output does not change when processed again', () => {
    const once = prune(pruneDeployment, { spec: { template: { spec: { containers: [{ name: 'a' }] } } } });
    expect(text(prune(pruneDeployment, once))).toBe(text(once));
  });

  test('unions of schemas keep the branch they are in', () => {
    const schema = { additionalProperties: false, items: [{ type: 'string' }], properties: { a: { default: 1 } } };
    const given = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
    const [version] = prune(pruneCustomResourceDefinition, given).spec.versions;
    expect(version.schema?.openAPIV3Schema).toEqual(schema);
  });
});

describe('wrong types', () => {
  test.each<[string, (value: unknown, context: PruneContext) => unknown, unknown, string]>([
    [
      'text in place of a number',
      pruneDeployment,
      { spec: { replicas: '3' } },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a number beyond int32',
      pruneDeployment,
      { spec: { replicas: 3000000000 } },
      'json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a fraction',
      pruneDeployment,
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'a number beyond int64',
      prunePod,
      { metadata: { generation: 2n ** 63n } },
      'json: cannot unmarshal number 9223372036854775808 into Go struct field ObjectMeta.metadata.generation of type int64',
    ],
    [
      'a number in place of text',
      prunePod,
      { spec: { containers: [{}, { image: 1.5 }] } },
      'json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string',
    ],
    [
      'false in place of text',
      prunePod,
      { spec: { nodeName: false } },
      'json: cannot unmarshal bool into Go struct field PodSpec.spec.nodeName of type string',
    ],
    [
      'an object in place of a list',
      prunePod,
      { spec: { containers: {} } },
      'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'text in a list of structs',
      prunePod,
      { spec: { containers: ['a'] } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container',
    ],
    [
      'a number in a map of text, whose key is not named',
      prunePod,
      { metadata: { labels: { 'a.b/c': 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'a list in place of a struct',
      prunePod,
      { spec: [] },
      'json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec',
    ],
    [
      'named text types',
      prunePod,
      { spec: { dnsPolicy: 1 } },
      'json: cannot unmarshal number into Go struct field PodSpec.spec.dnsPolicy of type v1.DNSPolicy',
    ],
    ['a document that is not an object', prunePod, 'x', 'json: cannot unmarshal string into Go value of type v1.Pod'],
    [
      'an unreadable time',
      prunePod,
      { metadata: { creationTimestamp: 'now' } },
      'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ],
    [
      'an unreadable quantity',
      prunePod,
      { spec: { overhead: { cpu: 'lots' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ['unreadable bytes', pruneSecret, { data: { a: 'ä' } }, 'illegal base64 data at input byte 0'],
  ])('%s', (_, read, value, want) => {
    expect(failure(read, value)).toBe(want);
  });
});

describe('unknown fields', () => {
  const unknown = (read: (value: unknown, context: PruneContext) => unknown, value: unknown): string[] => {
    const context = new PruneContext({ collectUnknown: true });
    read(value, context);
    return context.strictErrors;
  };

  test('are reported with their path, in document order', () => {
    const given = {
      zero: 0,
      spec: { containers: [{ foo: 1, name: 'a' }, { Image: 'x' }], bar: 1 },
      metadata: { labels: { constructor: 'x' }, nope: 1 },
      last: null,
    };
    expect(unknown(prunePod, given)).toEqual([
      'unknown field "zero"',
      'unknown field "spec.containers[0].foo"',
      'unknown field "spec.containers[1].Image"',
      'unknown field "spec.bar"',
      'unknown field "metadata.nope"',
      'unknown field "last"',
    ]);
  });

  test('are reported at most a hundred times', () => {
    const given = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]));
    expect(unknown(prunePod, given)).toHaveLength(100);
  });

  test('are not collected unless asked for', () => {
    const context = new PruneContext();
    prunePod({ foo: 1 }, context);
    expect(context.strictErrors).toEqual([]);
  });

  test('inside a union of schemas are not reported, as in Go', () => {
    const schema = { items: { nope: 1 }, alsoNope: 1 };
    const given = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
    expect(unknown(pruneCustomResourceDefinition, given)).toEqual(['unknown field "spec.versions[0].schema.openAPIV3Schema.alsoNope"']);
  });
});

test('schemas nested in schemas are limited in depth', () => {
  let schema: object = {};
  for (let depth = 0; depth < 100_000; depth++) schema = { not: schema };
  const given = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
  expect(failure(pruneCustomResourceDefinition, given)).toBe('exceeded max depth');
});

test('thousands of unknown fields take linear time, and the first hundred are reported in document order', () => {
  const many = (n: number): object => Object.fromEntries(Array.from({ length: n }, (_, i) => [`x${n - i}`, 1]));
  const read = (value: object): readonly string[] => {
    const context = new PruneContext({ collectUnknown: true });
    pruneConfigMap(value, context);
    return context.strictErrors;
  };
  const reported = read(many(500));
  expect(reported).toHaveLength(100);
  expect([reported[0], reported[99]]).toEqual(['unknown field "x500"', 'unknown field "x401"']);
  expectLinear(2_000, workOn(many, read));
});
