import { describe, expect, test } from '@jest/globals';
import { deploymentMerge } from '../../../../generated/v1.35/apps/v1/merge.ts';
import type { ManagedFieldsEntry } from '../../../../runtime/machinery/object.ts';
import { FieldSet } from '../../../../runtime/patch/fieldpath/field-set.ts';
import { newExcludeSetFilter } from '../../../../runtime/patch/fieldpath/filter.ts';
import { createFieldManager, type FieldManagerOptions } from '../../../../runtime/patch/managed-fields/field-manager.ts';
import { ignoreManagedFieldsTimestamps } from '../../../../runtime/patch/managed-fields/ignore-timestamps.ts';
import { managerOrUserAgent } from '../../../../runtime/patch/managed-fields/manager-or-user-agent.ts';
import { toParentManagedFields, toScaleManagedFields } from '../../../../runtime/patch/managed-fields/scale-handler.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import type { TestObject } from '../../../support/test-object.ts';

const gvk = { group: 'apps', version: 'v1', kind: 'Deployment' };
const start = '2026-01-01T00:00:00Z';

function setUp(options: Partial<FieldManagerOptions> = {}) {
  const clock = new ManualClock();
  return { clock, manager: createFieldManager({ merge: deploymentMerge, gvk, clock, ...options }) };
}

const config = (spec: object, metadata: object = {}): TestObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', ...metadata },
    spec,
  }) as unknown as TestObject;
const empty = (): TestObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {} });
const stored = (object: TestObject): TestObject => ({ ...object, metadata: { ...object.metadata, uid: 'u' } });
const container = (name: string, image: string) => ({ template: { spec: { containers: [{ name, image }] } } });
const owners = (object: TestObject) =>
  (object.metadata.managedFields ?? []).map(({ manager, operation, subresource }) =>
    [manager, operation, subresource].filter(Boolean).join(' '),
  );
const replicasOf = (manager: string, operation = 'Update'): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  time: start,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {} } },
});

describe('entries', () => {
  test('have manager, operation, version, time and fields', () => {
    const { manager } = setUp();
    const created = manager.update(empty(), config({ replicas: 1 }, { labels: { app: 'x' } }), 'kubectl-create');
    expect(created.metadata.managedFields).toEqual([
      {
        ...replicasOf('kubectl-create'),
        fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } }, 'f:spec': { '.': {}, 'f:replicas': {} } },
      },
    ]);
  });

  test('are ordered: applies first, then by time and name', () => {
    const { manager, clock } = setUp();
    let live = stored(manager.update(empty(), config({ replicas: 1 }), 'z'));
    clock.advance(1000);
    live = manager.update(live, { ...live, spec: { replicas: 1, paused: true } } as TestObject, 'b');
    live = manager.update(live, { ...live, spec: { ...live.spec, minReadySeconds: 1 } } as TestObject, 'a');
    live = manager.apply(live, config({ revisionHistoryLimit: 3 }), 'q', false);
    expect(owners(live)).toEqual(['q Apply', 'z Update', 'a Update', 'b Update']);
  });

  test('of a subresource are separate', () => {
    const { clock, manager } = setUp();
    const status = createFieldManager({ merge: deploymentMerge, gvk, clock, subresource: 'status' });
    const live = stored(manager.update(empty(), config({ replicas: 1 }), 'm'));
    const next = status.update(live, { ...live, status: { replicas: 1 } } as TestObject, 'm');
    expect(owners(next)).toEqual(['m Update', 'm Update status']);
    const sent = status.update(next, { ...next, metadata: { ...next.metadata, managedFields: [] } }, 'm');
    expect(owners(sent)).toEqual(['m Update', 'm Update status']);
  });

  test('without a name belong to unknown', () => {
    expect(owners(setUp().manager.update(empty(), config({ replicas: 1 }), ''))).toEqual(['unknown Update']);
  });

  test.each<[string, ManagedFieldsEntry[]]>([
    ['an empty list', []],
    ['an empty entry', [{}]],
  ])('are dropped by %s', (_name, managedFields) => {
    const { manager } = setUp();
    const live = stored(manager.update(empty(), config({ replicas: 1 }), 'm'));
    const next = manager.update(live, { ...live, metadata: { ...live.metadata, managedFields } }, 'm');
    expect(next.metadata.managedFields).toBeUndefined();
    const later = manager.update(next, { ...next, spec: { replicas: 5 } } as TestObject, 'm');
    expect(later.metadata.managedFields).toBeUndefined();
    expect(owners(manager.apply(later, config({ paused: true }), 'a', false))).toEqual(['a Apply', 'before-first-apply Update']);
  });

  test('of the request are used, unless they cannot be decoded', () => {
    const { manager } = setUp();
    const live = stored(manager.update(empty(), config({ replicas: 1 }), 'm'));
    const send = (managedFields: ManagedFieldsEntry[] | undefined) =>
      owners(manager.update(live, { ...live, metadata: { ...live.metadata, managedFields } }, 'x'));
    expect(send([replicasOf('sent')])).toEqual(['sent Update']);
    expect(send([{ ...replicasOf('sent'), operation: 'Other' }])).toEqual(['m Update']);
    expect(send(undefined)).toEqual(['m Update']);
  });

  test('of updates are limited to ten: the oldest of a version are merged', () => {
    const { manager, clock } = setUp();
    let live = stored(manager.update(empty(), config({ replicas: 0 }), 'm0'));
    for (let i = 1; i <= 12; i++) {
      clock.advance(1000);
      const annotations = { ...live.metadata.annotations, [`k${i}`]: 'v' };
      live = manager.update(live, { ...live, metadata: { ...live.metadata, annotations } }, `m${i}`);
    }
    expect(owners(live)).toHaveLength(10);
    expect(owners(live)[0]).toBe('ancient-changes Update');
  });
});

describe('time', () => {
  test('changes only when an update takes a field', () => {
    const { manager, clock } = setUp();
    const live = stored(manager.update(empty(), config({ replicas: 1 }), 'm'));
    clock.advance(5000);
    expect(manager.update(live, structuredClone(live), 'm')).toEqual(live);
    const next = manager.update(live, { ...live, spec: { replicas: 2 } } as TestObject, 'm');
    expect(next.metadata.managedFields?.[0].time).toBe('2026-01-01T00:00:05Z');
  });

  test('changes only when an apply changes the object', () => {
    const { manager, clock } = setUp();
    const live = stored(manager.apply(empty(), config({ replicas: 1 }), 'm', false));
    clock.advance(5000);
    expect(manager.apply(live, config({ replicas: 1 }), 'm', false)).toEqual(live);
  });

  test('alone is not a change', () => {
    const old = config({ replicas: 1 }, { managedFields: [replicasOf('m', 'Apply')] });
    const next = structuredClone(old);
    (next.metadata.managedFields as ManagedFieldsEntry[])[0].time = '2026-01-01T00:00:09Z';
    ignoreManagedFieldsTimestamps(next, old);
    expect(next).toEqual(old);
    const other = config({ replicas: 2 }, { managedFields: [{ ...replicasOf('m', 'Apply'), time: 'later' }] });
    ignoreManagedFieldsTimestamps(other, old);
    expect(other.metadata.managedFields?.[0].time).toBe('later');
  });
});

describe('apply', () => {
  test('shares equal values, and keeps them until both appliers remove them', () => {
    const { manager } = setUp();
    let live = stored(manager.apply(empty(), config({ replicas: 1, ...container('a', 'i') }), 'one', false));
    live = manager.apply(live, config({ replicas: 1, ...container('b', 'j') }), 'two', false);
    expect(owners(live)).toEqual(['one Apply', 'two Apply']);
    live = manager.apply(live, config(container('a', 'i')), 'one', false);
    expect(live.spec.replicas).toBe(1);
    expect(live.spec.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['a', 'b']);
    live = manager.apply(live, config(container('b', 'j')), 'two', false);
    expect(live.spec.replicas).toBeUndefined();
    live = manager.apply(live, config({}), 'one', false);
    expect(live.spec.template.spec.containers).toEqual([{ name: 'b', image: 'j' }]);
    expect(owners(live)).toEqual(['one Apply', 'two Apply']);
  });

  test('does not touch fields of others or without an owner', () => {
    const { manager } = setUp();
    let live = stored(manager.apply(empty(), config({ replicas: 1 }, { labels: { a: '1' } }), 'one', false));
    live = manager.update(live, { ...live, spec: { replicas: 7 } } as TestObject, 'scaler');
    live = manager.apply(live, config({}), 'one', false);
    expect(live.spec.replicas).toBe(7);
    expect(live.metadata.labels ?? null).toBeNull();
  });

  test('conflicts name manager, version and field', () => {
    const { manager } = setUp();
    const live = stored(manager.update(empty(), config({ replicas: 1, ...container('a', 'i') }), 'x'));
    const apply = (spec: object) => () => manager.apply(live, config(spec), 'me', false);
    expect(apply({ replicas: 2 })).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({
          code: 409,
          reason: 'Conflict',
          message: 'Apply failed with 1 conflict: conflict with "x" using apps/v1: .spec.replicas',
          details: {
            causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "x" using apps/v1', field: '.spec.replicas' }],
          },
        }),
      }),
    );
    expect(apply({ replicas: 2, ...container('a', 'j') })).toThrow(
      'Apply failed with 2 conflicts: conflicts with "x" using apps/v1:\n- .spec.replicas\n' +
        '- .spec.template.spec.containers[name="a"].image',
    );
  });

  test('conflicts with appliers and subresources name the subresource and no version', () => {
    const { manager, clock } = setUp();
    const status = createFieldManager({ merge: deploymentMerge, gvk, clock, subresource: 'scale' });
    let live = stored(manager.apply(empty(), config({ paused: true }), 'a', false));
    live = status.update(live, { ...live, spec: { paused: true, replicas: 3 } } as TestObject, 's');
    expect(() => manager.apply(live, config({ paused: false, replicas: 1 }), 'me', false)).toThrow(
      'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.paused\nconflicts with "s" with subresource "scale" using apps/v1:\n- .spec.replicas',
    );
  });

  test('force takes the fields', () => {
    const { manager } = setUp();
    const live = stored(manager.update(empty(), config({ replicas: 1, paused: true }), 'x'));
    const next = manager.apply(live, config({ replicas: 2 }), 'me', true);
    expect(next.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      { 'f:spec': { 'f:replicas': {} } },
      { 'f:spec': { '.': {}, 'f:paused': {} } },
    ]);
  });

  test.each<[string, TestObject, string]>([
    ['another kind', { ...config({}), kind: 'Pod' }, 'invalid object type: apps/v1, Kind=Pod'],
    ['another version', { ...config({}), apiVersion: 'v1' }, 'invalid object type: /v1, Kind=Deployment'],
    ['managed fields', config({}, { managedFields: [] }), 'metadata.managedFields must be nil'],
    [
      'unknown fields',
      config({ nope: 1 }, { namespace: 'ns' }),
      'failed to create typed patch object (ns/web; apps/v1, Kind=Deployment): .spec.nope: field not declared in schema',
    ],
    [
      'repeated containers',
      config({ template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } }),
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="a"]',
    ],
  ])('rejects %s', (_name, object, message) => {
    expect(() => setUp().manager.apply(empty(), object, 'm', false)).toThrow(message);
  });

  test('fields that the endpoint resets are not owned and do not conflict', () => {
    const resetFields = new Map([['apps/v1', newExcludeSetFilter(FieldSet.of(['f:status']))]]);
    const { manager } = setUp({ resetFields });
    const live = stored(manager.apply(empty(), { ...config({ replicas: 1 }), status: { replicas: 1 } } as TestObject, 'a', false));
    const next = manager.apply(live, { ...config({ replicas: 1 }), status: { replicas: 2 } } as TestObject, 'b', false);
    expect(next.metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      { 'f:spec': { 'f:replicas': {} } },
      { 'f:spec': { 'f:replicas': {} } },
    ]);
  });
});

describe('other versions', () => {
  // v0 names the replicas `copies`
  const convert: FieldManagerOptions['convert'] = (object: TestObject, apiVersion) => {
    if (apiVersion !== 'apps/v0' && apiVersion !== 'apps/v1') return undefined;
    const { replicas, copies, ...rest } = object.spec ?? {};
    const count = replicas ?? copies;
    const name = apiVersion === 'apps/v1' ? 'replicas' : 'copies';
    const merge = apiVersion === 'apps/v1' ? deploymentMerge : old;
    return { object: { ...object, apiVersion, spec: count === undefined ? rest : { ...rest, [name]: count } }, merge };
  };
  const old: typeof deploymentMerge = {
    ...deploymentMerge,
    fields: {
      ...deploymentMerge.fields,
      spec: () => ({
        kind: 'struct',
        mapType: 'granular',
        fields: { copies: () => ({ kind: 'scalar', format: 'number' }) },
      }),
    },
  };
  const entry = { ...replicasOf('old', 'Apply'), apiVersion: 'apps/v0', fieldsV1: { 'f:spec': { 'f:copies': {} } } };

  test('own their fields by the names of that version', () => {
    const { manager } = setUp({ convert });
    const live = stored(config({ replicas: 1 }, { managedFields: [entry] }));
    expect(() => manager.apply(live, config({ replicas: 2 }), 'new', false)).toThrow(
      'Apply failed with 1 conflict: conflict with "old": .spec.copies',
    );
    const next = manager.apply(live, config({ replicas: 1 }), 'old', false);
    expect(next.metadata.managedFields).toEqual([replicasOf('old', 'Apply')]);
    const applied: TestObject = manager.apply(live, config({}), 'old', false);
    expect(applied.spec?.replicas).toBeUndefined();
  });

  test('that are no longer known own nothing', () => {
    const { manager } = setUp({ convert });
    const live = stored(config({ replicas: 1 }, { managedFields: [{ ...entry, apiVersion: 'apps/vX' }] }));
    expect(owners(manager.apply(live, config({ replicas: 2 }), 'new', false))).toEqual(['new Apply']);
  });
});

describe('kubectl', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 1 } };
  const clientSide = () => {
    const { manager } = setUp();
    const object = config({ replicas: 1, paused: true }, { annotations: { [annotation]: JSON.stringify(applied) } });
    return { manager, live: stored(manager.update(empty(), object, 'kubectl-client-side-apply')) };
  };

  test('takes over what its client-side apply set, and updates the annotation', () => {
    const { manager, live } = clientSide();
    const next: TestObject = manager.apply(live, config({ replicas: 3 }), 'kubectl', false);
    expect(next.spec.replicas).toBe(3);
    expect(next.metadata.annotations?.[annotation]).toBe(
      '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":3}}\n',
    );
  });

  test('does not take over other fields, and no other manager takes over any', () => {
    const { manager, live } = clientSide();
    expect(() => manager.apply(live, config({ replicas: 3, paused: false }), 'kubectl', false)).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.paused',
    );
    expect(() => manager.apply(live, config({ replicas: 3 }), 'other', false)).toThrow('Apply failed with 1 conflict');
  });
});

test.each([
  ['given', 'curl/8', 'given'],
  ['', 'kubectl/v1.35.0 (linux/amd64)', 'kubectl'],
  ['', 'a\u0007b\n', 'ab'],
  ['', `${'é'.repeat(70)}/1`, 'é'.repeat(64)],
  ['', undefined, ''],
])('the manager of a request with %j and the agent %j is %j', (name, agent, want) => {
  expect(managerOrUserAgent(name, agent)).toBe(want);
});

test('scale shows the owner of the replicas, and takes them away', () => {
  const paths = new Map([['apps/v1', ['f:spec', 'f:replicas']]]);
  const other: ManagedFieldsEntry = { ...replicasOf('b'), fieldsV1: { 'f:spec': { 'f:paused': {} } } };
  const both: ManagedFieldsEntry = {
    ...replicasOf('a', 'Apply'),
    fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } },
  };
  const scale = toScaleManagedFields([both, other], paths);
  expect(scale).toEqual([{ ...replicasOf('a', 'Apply'), apiVersion: 'autoscaling/v1' }]);
  expect(toParentManagedFields(scale, [both, other], 'apps/v1', paths)).toEqual([both, other]);
  const scaler = { ...replicasOf('s'), apiVersion: 'autoscaling/v1', subresource: 'scale' };
  const { time: _untimed, ...entry } = replicasOf('s');
  expect(toParentManagedFields([scaler], [both, other], 'apps/v1', paths)).toEqual([
    { ...both, fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    { ...entry, subresource: 'scale' },
    other,
  ]);
});
