import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { failureOf, openTestStores, type TestStores } from '../../support/resource-stores.ts';

let stores: TestStores;
beforeEach(async () => {
  stores = await openTestStores();
});
afterEach(() => stores.close());

const deployment = (name: string, replicas = 1) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

describe('creating', () => {
  test('the server sets uid, time and version, and ignores those of the client', async () => {
    const maps = await stores.of('configmaps');
    const { metadata } = await maps.create({
      metadata: {
        name: 'a',
        uid: 'mine',
        resourceVersion: '',
        creationTimestamp: '2000-01-01T00:00:00Z',
        selfLink: '/x',
      },
    });
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-/);
    expect(metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(1);
    expect(metadata).not.toHaveProperty('selfLink');
    expect(metadata.namespace).toBe('default');
  });

  test('generateName generates a name of at most 63 characters', async () => {
    const maps = await stores.of('configmaps');
    const short = await maps.create({ metadata: { generateName: 'a-' } });
    expect(short.metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const long = await maps.create({ metadata: { generateName: 'b'.repeat(80) } });
    expect(long.metadata.name).toHaveLength(63);
  });

  test('a name that is taken is a conflict', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a' } });
    expect(await failureOf(maps.create({ metadata: { name: 'a' } }))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
  });

  test('a dry run responds and stores nothing', async () => {
    const maps = await stores.of('configmaps');
    const dry = await maps.create({ metadata: { name: 'a' } }, { dryRun: true });
    expect(dry.metadata.uid).toBeDefined();
    expect(maps.get('a')).toBeUndefined();
  });

  test('the status of the request is dropped, and the generation starts at 1', async () => {
    const deployments = await stores.of('apps/deployments');
    const made = await deployments.create({ ...deployment('d'), status: { replicas: 7 } });
    expect(made.status).toEqual({});
    expect(made.metadata.generation).toBe(1);
  });

  test.each([
    ['no name', {}, 'metadata.name: Required value: name or generateName is required'],
    ['an invalid name', { name: 'A_b' }, 'metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain'],
    ['a bad label key', { name: 'a', labels: { '-': 'x' } }, 'metadata.labels: Invalid value: "-": name part must'],
    [
      'annotations of more than 256 KiB',
      { name: 'a', annotations: { a: 'x'.repeat(262144) } },
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    ['a finalizer without a domain', { name: 'a', finalizers: ['-x'] }, 'metadata.finalizers: Invalid value: "-x"'],
  ])('%s is rejected', async (_name, metadata, message) => {
    const maps = await stores.of('configmaps');
    const failure = await failureOf(maps.create({ metadata }));
    expect(failure).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(failure.message).toContain(message);
  });
});

describe('updating', () => {
  test('writing the same object changes nothing', async () => {
    const maps = await stores.of('configmaps');
    const made = await maps.create({ metadata: { name: 'a' }, data: { k: 'v' } });
    const same = await maps.update('a', () => undefined);
    expect(same.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  test('the generation counts changes of the desired state only', async () => {
    const deployments = await stores.of('apps/deployments');
    await deployments.create(deployment('d'));
    const labelled = await deployments.update('d', (object) => {
      object.metadata.labels = { a: 'b' };
    });
    expect(labelled.metadata.generation).toBe(1);
    const scaled = await deployments.update('d', (object) => {
      object.spec.replicas = 2;
    });
    expect(scaled.metadata.generation).toBe(2);
    const seen = await deployments.update(
      'd',
      (object) => {
        object.status = { observedGeneration: 2 };
        object.spec.replicas = 9;
      },
      { part: 'status' },
    );
    expect(seen).toMatchObject({
      metadata: { generation: 2 },
      spec: { replicas: 2 },
      status: { observedGeneration: 2 },
    });
  });

  test('the main resource does not change the status', async () => {
    const deployments = await stores.of('apps/deployments');
    await deployments.create(deployment('d'));
    const written = await deployments.update('d', (object) => {
      object.status = { replicas: 5 };
    });
    expect(written.status).toEqual({});
  });

  test('an old resourceVersion is a conflict', async () => {
    const maps = await stores.of('configmaps');
    const { metadata } = await maps.create({ metadata: { name: 'a' } });
    await maps.update('a', (object) => {
      object.data = { a: '1' };
    });
    const failure = await failureOf(
      maps.update('a', (object) => {
        object.metadata.resourceVersion = metadata.resourceVersion;
        object.data = { a: '2' };
      }),
    );
    expect(failure).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test('a hundred concurrent writers of one object all succeed', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a' } });
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        maps.update('a', (object) => {
          delete object.metadata.resourceVersion;
          object.data = { ...object.data, [`k${i}`]: String(i) };
        }),
      ),
    );
    expect(Object.keys(maps.get('a')?.data)).toHaveLength(100);
  });

  test('an absent object is not found, or created if the resource allows it', async () => {
    const maps = await stores.of('configmaps');
    expect(await failureOf(maps.update('a', () => undefined))).toMatchObject({ code: 404 });
    const leases = await stores.of('coordination.k8s.io/leases');
    const made = await leases.update('l', (object) => delete object.metadata.resourceVersion, {
      requireCreate: async () => undefined,
    });
    expect(made.metadata.uid).toBeDefined();
  });

  test('an object that is deleted while it is updated is created', async () => {
    const leases = await stores.of('coordination.k8s.io/leases');
    await leases.create({ metadata: { name: 'l', labels: { from: 'before' } } });
    const { revision } = leases.store.get('default', 'l');
    const seen: unknown[] = [];
    const made = await leases.update(
      'l',
      async (object) => {
        seen.push(object.metadata.labels);
        if (seen.length === 1) await leases.store.collection.delete('default', 'l', revision);
        delete object.metadata.resourceVersion;
      },
      { requireCreate: async () => undefined },
    );
    expect(seen).toEqual([{ from: 'before' }, undefined]);
    expect(made.metadata.labels).toBeUndefined();
  });

  test('versions of one object are the same object', async () => {
    const v2 = await stores.of('autoscaling/horizontalpodautoscalers', 'v2');
    const v1 = await stores.of('autoscaling/horizontalpodautoscalers', 'v1');
    await v2.create({
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 },
    });
    expect(v1.get('h')).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { maxReplicas: 3 } });
    await v1.update('h', (object) => {
      object.spec.maxReplicas = 5;
    });
    expect(v2.get('h')).toMatchObject({ apiVersion: 'autoscaling/v2', spec: { maxReplicas: 5 } });
  });
});

describe('deleting', () => {
  test('an object without finalizers is deleted at once', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a' } });
    expect(await maps.delete('a')).toMatchObject({ deletedImmediately: true });
    expect(maps.get('a')).toBeUndefined();
  });

  test('finalizers retain it until the last is removed', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a', finalizers: ['x.io/one'] } });
    expect(await maps.delete('a')).toMatchObject({ deletedImmediately: false });
    expect(maps.get('a')?.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    });
    const failure = await failureOf(
      maps.update('a', (object) => {
        object.metadata.finalizers?.push('x.io/two');
      }),
    );
    expect(failure.message).toContain('metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted');
    await maps.update('a', (object) => {
      object.metadata.finalizers = [];
    });
    expect(maps.get('a')).toBeUndefined();
  });

  test('foreground and orphan set their finalizers', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a' } });
    await maps.delete('a', { propagationPolicy: 'Foreground' });
    expect(maps.get('a')?.metadata.finalizers).toEqual(['foregroundDeletion']);
    await maps.create({ metadata: { name: 'b' } });
    await maps.delete('b', { propagationPolicy: 'Orphan' });
    expect(maps.get('b')?.metadata.finalizers).toEqual(['orphan']);
  });

  test('preconditions must match', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a' } });
    const failure = await failureOf(maps.delete('a', { preconditions: { uid: 'other' } }));
    expect(failure).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(failure.message).toContain('the UID in the precondition (other) does not match the UID in record (');
  });
});
