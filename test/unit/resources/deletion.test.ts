import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { failureOf, openTestStores, type TestResource, type TestStores } from '../../support/resource-stores.ts';

let stores: TestStores;
let pods: TestResource;
beforeEach(async () => {
  stores = await openTestStores();
  pods = await stores.of('pods');
});
afterEach(() => stores.close());

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

describe('deleting a pod', () => {
  test('succeeds when another client completes it', async () => {
    await pods.create(pod('p'));
    const { collection } = pods.store;
    const others: Promise<unknown>[] = [];
    const stop = collection.watch({
      after: collection.latest().revision,
      onEvent: ({ type, object }) => {
        if (type === 'MODIFIED') others.push(collection.delete('default', 'p', object.revision));
      },
    });
    const deleted = await pods.delete('p');
    stop();
    expect(await Promise.all(others)).toEqual([expect.objectContaining({ name: 'p' })]);
    expect(deleted).toMatchObject({ deletedImmediately: true, written: { kind: 'stored' } });
    expect(pods.get('p')).toBeUndefined();
  });

  test('whose grace period is shortened after it expired leaves the completion to its node', async () => {
    await pods.create(pod('p', { nodeName: 'n' }));
    await pods.delete('p', { gracePeriodSeconds: 30 });
    stores.clock.advance(20_000);
    const { deletedImmediately } = await pods.delete('p', { gracePeriodSeconds: 5 });
    expect(deletedImmediately).toBe(false);
    expect(pods.get('p')?.metadata).toMatchObject({
      deletionGracePeriodSeconds: 1,
      deletionTimestamp: '2026-01-01T00:00:20Z',
    });
  });

  test('whose grace period is shortened before it expires ends earlier', async () => {
    await pods.create(pod('p', { nodeName: 'n' }));
    await pods.delete('p', { gracePeriodSeconds: 30 });
    stores.clock.advance(2_000);
    await pods.delete('p', { gracePeriodSeconds: 10 });
    expect(pods.get('p')?.metadata).toMatchObject({
      deletionGracePeriodSeconds: 10,
      deletionTimestamp: '2026-01-01T00:00:10Z',
    });
  });
});

describe('deleting an absent object', () => {
  test('is 404', async () => {
    expect(await failureOf(pods.delete('absent'))).toMatchObject({ code: 404, message: 'pods "absent" not found' });
  });
});
