import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import type { ExternalObjects, Listers } from '../../../../runtime/resources/lister.ts';
import type { ResourceStores } from '../../../../runtime/resources/stores.ts';
import { askedExternalObjects } from '../../../../runtime/server/workers/ask.ts';
import { askedObjects } from '../../../../runtime/server/workers/questions.ts';

const resource = { group: '', version: 'v1', resource: 'namespaces' };
const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

const objectsOf = (listers: object) => askedObjects({} as ResourceStores, listers as Listers);

describe('the objects of another server, for a job', () => {
  const external: ExternalObjects = {
    follow: <T>() => ({
      synced: Promise.resolve(),
      get: (_: string, name: string) => (name === 'shop' ? shop : undefined) as T | undefined,
      list: () => [shop] as readonly unknown[] as readonly T[],
    }),
    get: async (_, __, name) => ({ ...shop, metadata: { name } }),
  };

  test.each([
    ['all that the server knows', { state: 'known' }, [shop]],
    ['one that it knows', { state: 'known', namespace: '', name: 'shop' }, [shop]],
    ['one that does not exist', { state: 'known', namespace: '', name: 'x' }, []],
    ['one as it is now', { state: 'newest', namespace: '', name: 'new' }, [{ ...shop, metadata: { name: 'new' } }]],
  ] as const)('are answers of the server: %s', async (_name, query, want) => {
    const objects = objectsOf({ external, open: async () => external.follow(resource) });
    expect(await objects.findExternal({ resource, ...query })).toEqual(want);
  });

  test('are not known as long as the server does not know them', async () => {
    const objects = objectsOf({ open: () => Promise.reject(new Error('not yet')) });
    expect(await objects.findExternal({ resource, state: 'known' })).toBeUndefined();
    await expect(objects.findExternal({ resource, state: 'newest' })).rejects.toThrow('stands behind no other');
  });

  test('are read one by one, or as a list', async () => {
    const objects = askedExternalObjects({ findExternal: ({ name }) => (name === undefined || name === 'shop' ? [shop] : []) });
    const followed = objects.follow(resource);
    await followed.synced;
    expect(followed.get('', 'shop')).toBe(shop);
    expect(followed.get('', 'x')).toBeUndefined();
    expect(followed.list()).toEqual([shop]);
    expect(await objects.get(resource, '', 'shop')).toBe(shop);
  });
});
