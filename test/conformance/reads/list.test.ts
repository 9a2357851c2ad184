import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../support/manual-clock.ts';
import { everyKind, namesOf, ObjectFixture, type Query } from '../../support/object-fixture.ts';

const bigger = '18446744073709551615';

describe.each(everyKind)('a list of %s of %s storage', (resource, storage) => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  let maps: string;
  /** Versions after: creation of a, of b, of c, deletion of b. */
  let v: Record<'a' | 'b' | 'c' | 'end', string>;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage, { clock }, resource);
    maps = await fixture.fresh();
    const a = await fixture.put(maps, 'a');
    const b = await fixture.put(maps, 'b');
    const c = await fixture.put(maps, 'c');
    v = { a, b, c, end: await fixture.remove(maps, 'b') };
  });
  afterAll(() => fixture.close());

  const versions = (query: Query): Query =>
    Object.fromEntries(Object.entries(query).map(([key, value]) => [key, v[value as 'a'] ?? value]));

  describe('by resourceVersion, resourceVersionMatch and limit', () => {
    const b = 'metadata.name=b';
    test.each<[string, Query, string[], { at?: 'b' | 'c'; left?: number }]>([
      ['no parameters: most recent', {}, ['a', 'c'], {}],
      ['0: any', { resourceVersion: 0 }, ['a', 'c'], {}],
      ['N: not older', { resourceVersion: 'b' }, ['a', 'c'], {}],
      ['limit: most recent', { limit: 1 }, ['a'], { left: 1 }],
      ['limit, 0: any, without the limit', { limit: 1, resourceVersion: 0 }, ['a', 'c'], {}],
      ['limit, N: exact', { limit: 1, resourceVersion: 'c' }, ['a'], { at: 'c', left: 2 }],
      ['limit above the total, N: exact', { limit: 9, resourceVersion: 'b' }, ['a', 'b'], { at: 'b' }],
      ['Exact N', { resourceVersionMatch: 'Exact', resourceVersion: 'b' }, ['a', 'b'], { at: 'b' }],
      ['Exact N, limit', { resourceVersionMatch: 'Exact', resourceVersion: 'b', limit: 1 }, ['a'], { at: 'b', left: 1 }],
      ['NotOlderThan 0', { resourceVersionMatch: 'NotOlderThan', resourceVersion: 0 }, ['a', 'c'], {}],
      ['NotOlderThan 0, limit', { resourceVersionMatch: 'NotOlderThan', resourceVersion: 0, limit: 1 }, ['a', 'c'], {}],
      ['NotOlderThan N', { resourceVersionMatch: 'NotOlderThan', resourceVersion: 'b' }, ['a', 'c'], {}],
      ['NotOlderThan N, limit', { resourceVersionMatch: 'NotOlderThan', resourceVersion: 'b', limit: 1 }, ['a'], { left: 1 }],
      // a single object has no pages
      ['one object, limit, N: not older', { fieldSelector: b, limit: 1, resourceVersion: 'b' }, [], {}],
      ['one object, Exact N', { fieldSelector: b, resourceVersionMatch: 'Exact', resourceVersion: 'b' }, ['b'], { at: 'b' }],
    ])('%s', async (_name, query, names, { at, left }) => {
      const response = await fixture.get(maps, versions(query));
      expect(response.status).toBe(200);
      expect(namesOf(response)).toEqual(names);
      const { resourceVersion, remainingItemCount, continue: token } = response.json.metadata;
      if (at) expect(resourceVersion).toBe(v[at]);
      else expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(v.end));
      expect(remainingItemCount).toBe(left);
      expect(Boolean(token)).toBe(left !== undefined);
    });

    const forbidden = (why: string) => `resourceVersionMatch: Forbidden: ${why}`;
    const needsVersion = forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided');
    const exactZero = forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    test.each<[Query, string]>([
      [{ resourceVersionMatch: 'Exact' }, needsVersion],
      [{ resourceVersionMatch: 'Exact', limit: 1 }, needsVersion],
      [{ resourceVersionMatch: 'Exact', resourceVersion: 0 }, exactZero],
      [{ resourceVersionMatch: 'Exact', resourceVersion: 0, limit: 1 }, exactZero],
      [{ resourceVersionMatch: 'NotOlderThan' }, needsVersion],
      [{ resourceVersionMatch: 'NotOlderThan', limit: 1 }, needsVersion],
      [
        { resourceVersionMatch: 'Exact', resourceVersion: 1, continue: 'x' },
        forbidden('resourceVersionMatch is forbidden when continue is provided'),
      ],
      [
        { resourceVersionMatch: 'Newest', resourceVersion: 1 },
        'resourceVersionMatch: Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""',
      ],
      [
        { sendInitialEvents: 'true', resourceVersion: 1, resourceVersionMatch: 'NotOlderThan' },
        'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
      ],
    ])('%j is invalid', async (query, why) => {
      const { status, json } = await fixture.get(maps, query);
      expect(status).toBe(422);
      expect(json).toMatchObject({ kind: 'Status', reason: 'Invalid', code: 422 });
      expect(json.message).toBe(`ListOptions.meta.k8s.io "" is invalid: ${why}`);
      expect(json.details).toMatchObject({ group: 'meta.k8s.io', kind: 'ListOptions' });
      expect(json.details.causes[0].field).toBe(why.slice(0, why.indexOf(':')));
    });

    test('an invalid version is rejected', async () => {
      const { status, json } = await fixture.get(maps, { resourceVersion: 'new' });
      expect([status, json.reason]).toEqual([400, 'BadRequest']);
      expect(json.message).toBe(
        'invalid resource version: resourceVersion: Invalid value: "new": strconv.ParseUint: parsing "new": invalid syntax',
      );
    });

    test('a version from the future waits, then is too large, for every match', async () => {
      const queries: Query[] = [
        { resourceVersion: bigger },
        { resourceVersion: bigger, limit: 1 },
        { resourceVersion: bigger, resourceVersionMatch: 'Exact' },
        { resourceVersion: bigger, resourceVersionMatch: 'NotOlderThan' },
      ];
      let received = 0;
      const pending = Promise.all(
        [...queries.map((query) => fixture.get(maps, query)), fixture.get(`${maps}/a`, { resourceVersion: bigger })].map((response) =>
          response.finally(() => received++),
        ),
      );
      await fixture.get('/version');
      clock.advance(2_999);
      await fixture.get('/version');
      expect(received).toBe(0);
      // later requests have later deadlines
      while (received <= queries.length) {
        clock.advance(1_500);
        await fixture.get('/version');
      }
      const responses = await pending;
      for (const { status, headers, json } of responses) {
        expect([status, json.reason, headers['retry-after']]).toEqual([504, 'Timeout', '1']);
        expect(json.message).toBe(`Timeout: Too large resource version: ${bigger}, current: ${fixture.server.revision()}`);
        expect(json.details).toEqual({
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        });
      }
    });

    test('waits for a version that is about to exist', async () => {
      const here = await fixture.fresh();
      const next = fixture.server.revision() + 1;
      const list = fixture.get(here, { resourceVersion: next });
      const one = fixture.get(`${here}/soon`, { resourceVersion: next });
      const exact = fixture.get(here, { resourceVersion: next, resourceVersionMatch: 'Exact' });
      await fixture.get(here);
      await fixture.put(here, 'soon');
      expect(namesOf(await list)).toEqual(['soon']);
      expect(namesOf(await exact)).toEqual(['soon']);
      expect((await one).json.metadata.name).toBe('soon');
    });
  });

  test('has the version it was read at, and items have their own', async () => {
    const { json } = await fixture.get(maps);
    expect(json.items.map(({ metadata }: { metadata: { resourceVersion: string } }) => metadata.resourceVersion)).toEqual([v.a, v.c]);
    expect(Number(json.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(v.end));
  });

  describe('in pages', () => {
    let pages: string;
    beforeAll(async () => {
      pages = await fixture.fresh();
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
        await fixture.put(pages, name, {}, { vowel: String('ae'.includes(name)) });
      }
    });

    /** Requests all pages. Returns the names of each, the remaining counts, and the versions. */
    async function walk(path: string, query: Query, between = async (): Promise<unknown> => undefined) {
      const seen: { names: string[]; left?: number; version: string }[] = [];
      let token: string | undefined;
      do {
        const response = await fixture.get(path, { ...query, ...(token ? { continue: token } : {}) });
        expect(response.status).toBe(200);
        const { resourceVersion: version, remainingItemCount: left } = response.json.metadata;
        seen.push({ names: namesOf(response), left, version });
        token = response.json.metadata.continue;
        await between();
      } while (token);
      return seen;
    }

    test('is one snapshot while objects are written', async () => {
      const here = await fixture.fresh();
      for (const name of ['b', 'd', 'f', 'h']) await fixture.put(here, name, { data: { is: 'old' } });
      let count = 0;
      const seen = await walk(here, { limit: 1 }, async () => {
        await fixture.put(here, `c${count++}`);
        await fixture.put(here, 'f', { data: { is: 'new' } });
        if (count === 2) await fixture.remove(here, 'h');
      });
      expect(seen.flatMap(({ names }) => names)).toEqual(['b', 'd', 'f', 'h']);
      expect(new Set(seen.map(({ version }) => version)).size).toBe(1);
      expect(seen.map(({ left }) => left)).toEqual([3, 2, 1, undefined]);
    });

    test('has the remaining count on each page but the last', async () => {
      const seen = await walk(pages, { limit: 3 });
      expect(seen.map(({ names, left }) => [names.join(''), left])).toEqual([
        ['abc', 4],
        ['def', 1],
        ['g', undefined],
      ]);
    });

    test('ends with a full last page', async () => {
      const { json } = await fixture.get(pages, { limit: 7 });
      expect(json.items).toHaveLength(7);
      // lists of custom resources have an empty `continue`
      expect(json.metadata.continue || undefined).toBeUndefined();
      expect(json.metadata).not.toHaveProperty('remainingItemCount');
    });

    test('with a selector limits matching objects and has no remaining count', async () => {
      const seen = await walk(pages, { limit: 2, labelSelector: 'vowel=false' });
      expect(seen.map(({ names }) => names.join(''))).toEqual(['bc', 'df', 'g']);
      expect(seen.every(({ left }) => left === undefined)).toBe(true);
    });

    test('continues after a full page while objects remain, matching or not', async () => {
      const seen = await walk(pages, { limit: 2, labelSelector: 'vowel=true' });
      expect(seen.map(({ names }) => names.join(''))).toEqual(['ae', '']);
    });

    test('continues across namespaces in order', async () => {
      const first = await fixture.fresh();
      const second = await fixture.fresh();
      for (const path of [second, first]) for (const name of ['y', 'x']) await fixture.put(path, name, {}, { spans: '1' });
      const seen = await walk(fixture.everywhere, { limit: 3, labelSelector: 'spans=1' });
      expect(seen.map(({ names }) => names.join(''))).toEqual(['xyx', 'y']);
    });

    test('a token with version 0 is valid, and returns the rest', async () => {
      const { json } = await fixture.get(pages, { limit: 2 });
      const token = json.metadata.continue;
      const rest = await fixture.get(pages, { limit: 2, continue: token, resourceVersion: 0 });
      expect(namesOf(rest)).toEqual(['c', 'd', 'e', 'f', 'g']);
      expect(rest.json.metadata.resourceVersion).toBe(json.metadata.resourceVersion);
    });

    test('a token with another version is rejected', async () => {
      const { json } = await fixture.get(pages, { limit: 2 });
      const response = await fixture.get(pages, { limit: 2, continue: json.metadata.continue, resourceVersion: v.a });
      expect(response.status).toBe(400);
      expect(response.json.message).toBe('specifying resource version is not allowed when using continue');
    });

    const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const start = 'a\0';
    test.each([
      ['that is not base64', '{}', ': illegal base64 data at input byte 0'],
      ['that is truncated', 'abcde', ': illegal base64 data at input byte 4'],
      ['that is not JSON', 'bm90IGpzb24', ": invalid character 'o' in literal null (expecting 'u')"],
      ['of another version', encoded({ v: 'v9', rv: 1, start }), ': server does not recognize this encoded version v9'],
      [
        'without a resourceVersion',
        encoded({ v: 'meta.k8s.io/v1', start }),
        ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
      ],
      [
        'whose start is a number',
        encoded({ v: 'meta.k8s.io/v1', rv: 1, start: 1 }),
        ': json: cannot unmarshal number into Go struct field continueToken.start of type string',
      ],
      [
        'whose resourceVersion has a fraction',
        encoded({ v: 'meta.k8s.io/v1', rv: 1.5, start }),
        ': json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
      ],
      [
        'whose resourceVersion is a text',
        encoded({ v: 'meta.k8s.io/v1', rv: '1', start }),
        ': json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
      ],
      ['without a start key', encoded({ v: 'meta.k8s.io/v1', rv: 1 }), ': encoded start key empty (version meta.k8s.io/v1)'],
      ['with a path to a parent', encoded({ v: 'meta.k8s.io/v1', rv: 1, start: '../x' }), ': ../x'],
    ])('a token %s is rejected', async (_name, token, why) => {
      const { status, json } = await fixture.get(pages, { limit: 1, continue: token });
      expect([status, json.reason]).toEqual([400, 'BadRequest']);
      expect(json.message).toBe(`invalid continue token: continue key is not valid${why}`);
    });

    test('a token of another list is a position in this one', async () => {
      const other = await fixture.fresh();
      for (const name of ['a', 'b']) await fixture.put(other, name);
      const token = (await fixture.get(pages, { limit: 1 })).json.metadata.continue;
      expect(namesOf(await fixture.get(other, { continue: token }))).toEqual(['b']);
    });
  });
});
