import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectDesk, type Query, storages } from '../../support/object-desk.ts';

describe.each(storages)('a get of %s storage', (storage) => {
  let desk: ObjectDesk;
  let maps: string;
  let made: string;

  beforeAll(async () => {
    desk = await ObjectDesk.open(storage);
    maps = await desk.fresh();
    made = await desk.put(maps, 'a', { data: { is: 'old' } });
    await desk.put(maps, 'a', { data: { is: 'new' } });
  });
  afterAll(() => desk.close());

  test.each(['', '0', 'N'])('at version "%s" has what is newest', async (version) => {
    const query: Query = version === '' ? {} : { resourceVersion: version === 'N' ? made : version };
    const { status, json } = await desk.get(`${maps}/a`, query);
    expect([status, json.data]).toEqual([200, { is: 'new' }]);
  });

  test.each(['', '0', 'N'])('of nothing at version "%s" finds nothing', async (version) => {
    const query: Query = version === '' ? {} : { resourceVersion: version === 'N' ? made : version };
    const { status, json } = await desk.get(`${maps}/absent`, query);
    expect([status, json.message]).toEqual([404, 'configmaps "absent" not found']);
  });

  test('of a version that is none is refused', async () => {
    expect((await desk.get(`${maps}/a`, { resourceVersion: 'x' })).status).toBe(400);
  });
});
