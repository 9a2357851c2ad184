import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { everyKind, namesOf, ObjectFixture, type Query } from '../../support/object-fixture.ts';

describe.each(everyKind)('compacted history of %s of %s storage', (resource, storage) => {
  let fixture: ObjectFixture;
  let maps: string;
  let old: string;
  let token: string;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage, {}, resource);
    maps = await fixture.fresh();
    for (const name of ['a', 'b', 'c', 'd']) old = await fixture.put(maps, name);
    token = (await fixture.get(maps, { limit: 1 })).json.metadata.continue;
    await fixture.remove(maps, 'b');
    await fixture.put(maps, 'c', { data: { is: 'new' } });
    await fixture.put(maps, 'e');
    await fixture.server.compact();
  });
  afterAll(() => fixture.close());

  test.each<Query>([{ resourceVersionMatch: 'Exact' }, { limit: 2 }])('is Gone for a list at exactly that version: %j', async (query) => {
    const { status, json } = await fixture.get(maps, { resourceVersion: old, ...query });
    expect([status, json.reason, json.code]).toEqual([410, 'Expired', 410]);
    expect(json.message).toBe('The resourceVersion for the provided list is too old.');
  });

  test('can still be named by lists and gets that accept newer versions', async () => {
    expect(namesOf(await fixture.get(maps, { resourceVersion: old }))).toEqual(['a', 'c', 'd', 'e']);
    expect((await fixture.get(`${maps}/a`, { resourceVersion: old })).status).toBe(200);
  });

  test('ends pages with a token for an inconsistent continuation', async () => {
    const gone = await fixture.get(maps, { limit: 2, continue: token });
    expect([gone.status, gone.json.reason]).toEqual([410, 'Expired']);
    expect(gone.json.message).toMatch(/^The provided continue parameter is too old to display a consistent list result\./);
    const fresh = gone.json.metadata.continue;
    const next = await fixture.get(maps, { limit: 2, continue: fresh });
    expect(namesOf(next)).toEqual(['c', 'd']);
    expect(next.json.items[0].data).toEqual({ is: 'new' });
    expect(next.json.metadata.remainingItemCount).toBe(1);
    // later pages have one version again
    await fixture.put(maps, 'f');
    const last = await fixture.get(maps, { limit: 2, continue: next.json.metadata.continue });
    expect(namesOf(last)).toEqual(['e']);
    expect(last.json.metadata.resourceVersion).toBe(next.json.metadata.resourceVersion);
    expect(last.json.metadata.continue || undefined).toBeUndefined();
  });
});
