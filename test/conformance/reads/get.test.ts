import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everyKind, ObjectDesk, type Query } from '../../support/object-desk.ts';

describe.each(everyKind)('a get of %s of %s storage', (resource, storage) => {
  let desk: ObjectDesk;
  let maps: string;
  let made: string;

  beforeAll(async () => {
    desk = await ObjectDesk.open(storage, {}, resource);
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
    expect([status, json.message]).toEqual([404, `${desk.kind.groupResource} "absent" not found`]);
  });

  test.each(['', 'true', '1'])('for export as "%s" is refused', async (value) => {
    const { status, json } = await desk.get(`${maps}/a`, { export: value });
    expect([status, json.message]).toEqual([
      400,
      'the export parameter, deprecated since v1.14, is no longer supported',
    ]);
    expect((await desk.get(`${maps}/a`, { export: 'false' })).status).toBe(200);
  });

  test('of a version that is none is refused', async () => {
    expect((await desk.get(`${maps}/a`, { resourceVersion: 'x' })).status).toBe(400);
  });
});
