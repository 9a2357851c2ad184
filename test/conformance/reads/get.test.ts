import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everyKind, ObjectFixture, type Query } from '../../support/object-fixture.ts';

describe.each(everyKind)('a get of %s of %s storage', (resource, storage) => {
  let fixture: ObjectFixture;
  let maps: string;
  let made: string;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage, {}, resource);
    maps = await fixture.fresh();
    made = await fixture.put(maps, 'a', { data: { is: 'old' } });
    await fixture.put(maps, 'a', { data: { is: 'new' } });
  });
  afterAll(() => fixture.close());

  test.each(['', '0', 'N'])('at version "%s" returns the newest object', async (version) => {
    const query: Query = version === '' ? {} : { resourceVersion: version === 'N' ? made : version };
    const { status, json } = await fixture.get(`${maps}/a`, query);
    expect([status, json.data]).toEqual([200, { is: 'new' }]);
  });

  test.each(['', '0', 'N'])('of an absent object at version "%s" is NotFound', async (version) => {
    const query: Query = version === '' ? {} : { resourceVersion: version === 'N' ? made : version };
    const { status, json } = await fixture.get(`${maps}/absent`, query);
    expect([status, json.message]).toEqual([404, `${fixture.kind.groupResource} "absent" not found`]);
  });

  test.each(['', 'true', '1'])('for export as "%s" is rejected', async (value) => {
    const { status, json } = await fixture.get(`${maps}/a`, { export: value });
    expect([status, json.message]).toEqual([400, 'the export parameter, deprecated since v1.14, is no longer supported']);
    expect((await fixture.get(`${maps}/a`, { export: 'false' })).status).toBe(200);
  });

  test('of an invalid version is rejected', async () => {
    expect((await fixture.get(`${maps}/a`, { resourceVersion: 'x' })).status).toBe(500);
  });
});
