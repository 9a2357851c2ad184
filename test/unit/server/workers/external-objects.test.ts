import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import type { ExternalObjects, Listers } from '../../../../runtime/resources/lister.ts';
import { externalObjectCalls, remoteExternalObjects } from '../../../../runtime/server/workers/remote-external-objects.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

describe('the objects of another server in a worker thread', () => {
  const external: ExternalObjects = {
    follow: <T>() => ({
      synced: Promise.resolve(),
      get: (_: string, name: string) => (name === 'shop' ? shop : undefined) as T | undefined,
      list: () => [shop] as readonly unknown[] as readonly T[],
    }),
    get: async (_, __, name) => ({ ...shop, metadata: { name } }),
  };
  const calls = externalObjectCalls({ external, open: async () => external.follow(namespaces) } as unknown as Listers);
  // a worker's calls block until their result
  const remote = remoteExternalObjects({
    externalKnown: calls.externalKnown,
    externalList: calls.externalList,
    externalIsKnown: () => true,
    externalGet: () => shop,
  });

  test('are those that the server knows', async () => {
    const followed = remote.follow(namespaces);
    await followed.synced;
    expect(followed.get('', 'shop')).toBe(shop);
    expect(followed.get('', 'x')).toBeUndefined();
    expect(followed.list()).toEqual([shop]);
    expect(await remote.get(namespaces, '', 'shop')).toBe(shop);
  });

  test('are known when the server knows them', async () => {
    expect(await calls.externalIsKnown(namespaces)).toBe(true);
    const never = externalObjectCalls({ open: () => Promise.reject(new Error('not yet')) } as unknown as Listers);
    expect(await never.externalIsKnown(namespaces)).toBe(false);
    expect(() => never.externalKnown(namespaces, '', 'x')).toThrow('stands behind no other');
    expect((await calls.externalGet(namespaces, '', 'new')).metadata.name).toBe('new');
  });
});
