import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startInformer } from '../../../runtime/resources/informer.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

describe('an informer', () => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openTestStores();
  });
  afterEach(() => stores.close());

  test('tells of objects that exist, and of changes before their writes resolve, until it ends', async () => {
    const maps = await stores.of('configmaps');
    await maps.create({ metadata: { name: 'a' } });
    const told: string[] = [];
    const stop = await startInformer(stores.stores, configMaps, {
      onSet: ({ metadata, data }: { metadata: { name?: string }; data?: object }) =>
        told.push(`${metadata.name} ${JSON.stringify(data ?? {})}`),
      onDelete: (namespace, name) => told.push(`no ${namespace}/${name}`),
    });
    expect(told).toEqual(['a {}']);
    await maps.create({ metadata: { name: 'b' }, data: { x: 'y' } });
    expect(told.slice(1)).toEqual(['b {"x":"y"}']);
    await maps.delete('b');
    expect(told.slice(2)).toEqual(['no default/b']);
    stop();
    await maps.create({ metadata: { name: 'c' } });
    expect(told).toHaveLength(3);
  });

  test('treats an object that its handler cannot take as deleted, and goes on', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      const maps = await stores.of('configmaps');
      const told: string[] = [];
      await startInformer(stores.stores, configMaps, {
        onSet({ metadata: { name = '' } }) {
          if (name === 'bad') throw new Error('cannot take it');
          told.push(name);
        },
        onDelete: (_, name) => told.push(`no ${name}`),
      });
      for (const name of ['a', 'bad', 'b']) await maps.create({ metadata: { name } });
      expect(told).toEqual(['a', 'no bad', 'b']);
      expect(String(warn.mock.calls[0][0])).toContain('an object of configmaps. was ignored: Error: cannot take it');
    } finally {
      warn.mockRestore();
    }
  });
});
