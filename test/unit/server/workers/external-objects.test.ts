import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import type { ExternalObjects, Listers } from '../../../../runtime/resources/lister.ts';
import { askedExternalObjects } from '../../../../runtime/server/workers/ask.ts';
import { type AnswersOptions, newAnswers, type Questions } from '../../../../runtime/server/workers/questions.ts';

const resource = { group: '', version: 'v1', resource: 'namespaces' };
const shop: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

const answersOf = (listers: object): Questions => newAnswers({ listers: listers as Listers } as AnswersOptions, {} as Questions);

describe('the objects of another server, for a job', () => {
  const external: ExternalObjects = {
    follow: <T>() => ({
      synced: Promise.resolve(),
      get: (_: string, name: string) => (name === 'shop' ? shop : undefined) as T | undefined,
      list: () => [shop] as readonly unknown[] as readonly T[],
    }),
    get: async (_, __, name) => ({ ...shop, metadata: { name } }),
  };

  test('are answers of the server', async () => {
    const answers = answersOf({ external, open: async () => external.follow(resource) });
    expect(await answers.externalObjects({ resource })).toEqual([shop]);
    expect(await answers.externalObjects({ resource, namespace: '', name: 'shop' })).toEqual([shop]);
    expect(await answers.externalObjects({ resource, namespace: '', name: 'x' })).toEqual([]);
    expect((await answers.externalObject(resource, '', 'new')).metadata.name).toBe('new');
  });

  test('are not known as long as the server does not know them', async () => {
    const answers = answersOf({ open: () => Promise.reject(new Error('not yet')) });
    expect(await answers.externalObjects({ resource })).toBeUndefined();
    await expect(answers.externalObject(resource, '', 'x')).rejects.toThrow('stands behind no other');
  });

  test('are read one by one, or as a list', async () => {
    const objects = askedExternalObjects({
      externalObjects: ({ name }) => (name === undefined || name === 'shop' ? [shop] : []),
      externalObject: () => shop,
    });
    const followed = objects.follow(resource);
    await followed.synced;
    expect(followed.get('', 'shop')).toBe(shop);
    expect(followed.get('', 'x')).toBeUndefined();
    expect(followed.list()).toEqual([shop]);
    expect(await objects.get(resource, '', 'shop')).toBe(shop);
  });
});
