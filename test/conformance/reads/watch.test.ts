import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../support/manual-clock.ts';
import { besideOf, everyKind, ObjectFixture, type Query, withQuery } from '../../support/object-fixture.ts';
import { type WatchEvent, WatchStream } from '../../support/watch-stream.ts';

const endOfState = 'k8s.io/initial-events-end';

/** `ADDED a`, `BOOKMARK`, `BOOKMARK end`. */
const summaries = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => {
    if (type !== 'BOOKMARK') return `${type} ${object.metadata.name}`;
    return object.metadata.annotations?.[endOfState] === 'true' ? 'BOOKMARK end' : 'BOOKMARK';
  });
const versionsOf = (events: readonly WatchEvent[]): number[] => events.map(({ object }) => Number(object.metadata.resourceVersion));

describe.each(everyKind)('a watch of %s of %s storage', (resource, storage) => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  let maps: string;

  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage, { clock }, resource);
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    maps = await fixture.fresh();
  });

  /** Returns the events of a watch until an object named `last` is created. */
  async function eventsUntilLast(query: Query, path = maps): Promise<WatchEvent[]> {
    const stream = await fixture.watch(path, query);
    await fixture.put(maps, 'last', {}, { watched: 'yes' });
    const events: WatchEvent[] = [];
    for (;;) {
      const [event] = await stream.take(1);
      events.push(event);
      if (event.object.metadata.name === 'last') break;
    }
    stream.close();
    return events;
  }

  describe('its start', () => {
    let before: string;
    let made: string;
    beforeEach(async () => {
      before = await fixture.put(maps, 'a', { data: { n: '1' } });
      made = await fixture.put(maps, 'b');
      await fixture.put(maps, 'a', { data: { n: '2' } });
    });
    const match = { resourceVersionMatch: 'NotOlderThan' };
    const marks = { allowWatchBookmarks: 'true' };
    const state = ['ADDED a', 'ADDED b'];

    test.each<[string, Query, string[]]>([
      ['no version: the existing objects', {}, state],
      ['version 0: the existing objects', { resourceVersion: 0 }, state],
      ['version N: later changes', { resourceVersion: 'before' }, ['ADDED b', 'MODIFIED a']],
      ['a later N: fewer changes', { resourceVersion: 'made' }, ['MODIFIED a']],
      ['no version, with bookmarks: also the end of the initial events', marks, [...state, 'BOOKMARK end']],
      ['version 0, with bookmarks: the same', { ...marks, resourceVersion: 0 }, [...state, 'BOOKMARK end']],
      ['N with bookmarks: no end of initial events', { ...marks, resourceVersion: 'made' }, ['MODIFIED a']],
      ['initial events of no version', { ...marks, ...match, sendInitialEvents: 'true' }, [...state, 'BOOKMARK end']],
      ['initial events of version 0', { ...marks, ...match, sendInitialEvents: 'true', resourceVersion: 0 }, [...state, 'BOOKMARK end']],
      [
        'initial events not older than N',
        { ...marks, ...match, sendInitialEvents: 'true', resourceVersion: 'before' },
        [...state, 'BOOKMARK end'],
      ],
      ['initial events without bookmarks: no mark of their end', { ...match, sendInitialEvents: 'true' }, state],
      ['no initial events of no version', { ...match, sendInitialEvents: 'false' }, []],
      ['no initial events of version 0', { ...match, sendInitialEvents: 'false', resourceVersion: 0 }, []],
      ['no initial events since N', { ...match, sendInitialEvents: 'false', resourceVersion: 'made' }, ['MODIFIED a']],
    ])('%s', async (_name, query, expected) => {
      const named: Record<string, string> = { before, made };
      const { resourceVersion = '' } = query;
      const events = await eventsUntilLast({ ...query, resourceVersion: named[resourceVersion] ?? resourceVersion });
      expect(summaries(events)).toEqual([...expected, 'ADDED last']);
      expect(events.filter(({ type }) => type === 'ADDED').every(({ object }) => object.kind === fixture.kind.kind)).toBe(true);
    });

    test('the end of the initial events has the version of the list', async () => {
      const stream = await fixture.watch(maps, marks);
      const [, , end] = await stream.take(3);
      const { kind, apiVersion } = fixture.kind;
      expect(end.object).toMatchObject({ kind, apiVersion });
      const later = await fixture.watch(maps, { resourceVersion: end.object.metadata.resourceVersion });
      await fixture.put(maps, 'c');
      expect(summaries(await later.take(1))).toEqual(['ADDED c']);
      stream.close();
      later.close();
    });

    test('deprecated paths send initial events, without marking their end', async () => {
      const path = maps.replace('/v1/', '/v1/watch/');
      const stream = await WatchStream.open(fixture.server, withQuery(path, marks));
      await fixture.put(maps, 'c');
      expect(summaries(await stream.take(3))).toEqual([...state, 'ADDED c']);
      stream.close();
    });

    test('a version from the future: only later changes', async () => {
      const stream = await fixture.watch(maps, { resourceVersion: fixture.server.revision() + 2, ...marks });
      for (const name of ['c', 'd', 'e']) await fixture.put(maps, name);
      expect(summaries(await stream.take(1))).toEqual(['ADDED e']);
      stream.close();
    });

    test('initial events at a version from the future end in an error', async () => {
      const future = 99_999_999_999;
      const opening = fixture.watch(maps, { ...match, sendInitialEvents: 'true', resourceVersion: future });
      await fixture.get(maps);
      let events: WatchEvent[] | undefined;
      void opening.then(async (stream) => {
        events = await stream.rest();
      });
      while (events === undefined) {
        clock.advance(3_000);
        await fixture.get(maps);
      }
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({ type: 'ERROR', object: { reason: 'Timeout', code: 504 } });
    });

    const invalid = (why: string) => `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: ${why}`;
    const needsMatch = 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    test.each<[Query, number, string]>([
      [{ sendInitialEvents: 'true' }, 422, invalid(needsMatch)],
      [{ sendInitialEvents: 'false', resourceVersion: 1 }, 422, invalid(needsMatch)],
      [
        { resourceVersionMatch: 'NotOlderThan', resourceVersion: 1 },
        422,
        invalid('Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      ],
      [
        { resourceVersionMatch: 'Exact', resourceVersion: 1 },
        422,
        'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
      ],
      [{ continue: 'x' }, 422, invalid('Forbidden: resourceVersionMatch is forbidden when continue is provided')],
      [{ resourceVersion: 'x' }, 500, 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
    ])('%j is rejected', async (query, code, message) => {
      const { status, json } = await fixture.get(maps, { watch: '1', ...query });
      expect([status, json.message]).toEqual([code, message]);
    });
  });

  test('of a resource that can only be listed is rejected', async () => {
    const { status, json } = await fixture.get('/api/v1/componentstatuses', { watch: '1' });
    expect([status, json.message]).toEqual([405, 'watch is not supported on resources of kind "componentstatuses"']);
  });

  test('sends each change once and in order while objects are written', async () => {
    const versions = [await fixture.put(maps, 'first')];
    const watching: { after: number; events: Promise<WatchEvent[]> }[] = [];
    const total = 60;
    for (let round = 0; round < total; round++) {
      const name = round % 7 === 5 ? 'brief' : 'long';
      const writing = round % 7 === 6 ? fixture.remove(maps, 'brief') : fixture.put(maps, name, { data: { n: `${round}` } });
      if (round % 6 === 0) {
        const from = Math.max(0, versions.length - 1 - (round % 4));
        const stream = await fixture.watch(maps, { resourceVersion: versions[from] });
        watching.push({ after: from, events: stream.take(total - from).finally(() => stream.close()) });
      }
      versions.push(await writing);
    }
    for (const { after, events } of watching) {
      expect(versionsOf(await events)).toEqual(versions.slice(after + 1).map(Number));
    }
  });

  test('of compacted history is one error', async () => {
    const old = await fixture.put(maps, 'a');
    await fixture.put(maps, 'b');
    await fixture.server.compact();
    const stream = await fixture.watch(maps, { resourceVersion: old });
    expect(stream.status).toBe(200);
    const events = await stream.rest();
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: 'ERROR', object: { kind: 'Status', reason: 'Expired', code: 410 } });
    expect(events[0].object.message).toBe(`too old resource version: ${old} (${fixture.server.revision()})`);
  });

  describe('with a selector', () => {
    test('sends objects that start and stop matching its labels', async () => {
      const after = await fixture.put(maps, 'a', { data: { n: '1' } }, { watched: 'no' });
      const entered = await fixture.put(maps, 'a', { data: { n: '2' } }, { watched: 'yes' });
      await fixture.put(maps, 'a', { data: { n: '3' } }, { watched: 'yes' });
      const left = await fixture.put(maps, 'a', { data: { n: '4' } });
      await fixture.put(maps, 'a', { data: { n: '5' } });
      await fixture.remove(maps, 'a');
      const events = await eventsUntilLast({ resourceVersion: after, labelSelector: 'watched=yes' });
      expect(summaries(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED last']);
      expect(events[0].object).toMatchObject({ data: { n: '2' }, metadata: { resourceVersion: entered } });
      expect(events[2].object).toMatchObject({ data: { n: '3' }, metadata: { resourceVersion: left } });
    });

    test('sends objects that start and stop matching its fields', async () => {
      const pods = besideOf(maps, 'pods');
      const spec = { containers: [{ name: 'c', image: 'i' }] };
      const after = await fixture.put(pods, 'a', { spec });
      const stream = await fixture.watch(pods, { resourceVersion: after, fieldSelector: 'status.phase=Running' });
      for (const phase of ['Running', 'Succeeded']) {
        const body = JSON.stringify({ status: { phase } });
        const path = `${pods}/a/status`;
        await fixture.client.send('PATCH', path, body, 'application/merge-patch+json');
      }
      const events = await stream.take(2);
      expect(summaries(events)).toEqual(['ADDED a', 'DELETED a']);
      expect(events[1].object.status.phase).toBe('Running');
      stream.close();
    });

    test('sends only matching initial events', async () => {
      await fixture.put(maps, 'a');
      await fixture.put(maps, 'b', {}, { watched: 'yes' });
      const events = await eventsUntilLast({ labelSelector: 'watched' });
      expect(summaries(events)).toEqual(['ADDED b', 'ADDED last']);
    });
  });

  describe('of one object', () => {
    beforeEach(async () => {
      await fixture.put(maps, 'other');
      await fixture.put(maps, 'last');
      await fixture.remove(maps, 'last');
    });

    test('by a field selector', async () => {
      expect(summaries(await eventsUntilLast({ fieldSelector: 'metadata.name=last' }))).toEqual(['ADDED last']);
    });

    test('by its deprecated path', async () => {
      const path = `${maps.replace('/v1/', '/v1/watch/')}/last`;
      expect(summaries(await eventsUntilLast({}, path))).toEqual(['ADDED last']);
    });

    test('in all namespaces', async () => {
      const namespace = maps.split('/').at(-2);
      const query = { fieldSelector: `metadata.name=last,metadata.namespace=${namespace}` };
      expect(summaries(await eventsUntilLast(query, fixture.everywhere))).toEqual(['ADDED last']);
    });

    test('rejects a field selector for another name', async () => {
      const path = `${maps.replace('/v1/', '/v1/watch/')}/last`;
      const { status, json } = await fixture.get(path, { fieldSelector: 'metadata.name=other' });
      expect(status).toBe(400);
      expect(json.message).toBe("fieldSelector metadata.name doesn't match requested name");
    });
  });

  describe('over time', () => {
    test('sends bookmarks every minute and before it ends, if requested', async () => {
      const made = await fixture.put(maps, 'a');
      const query = { resourceVersion: made, timeoutSeconds: 150 };
      const stream = await fixture.watch(maps, { ...query, allowWatchBookmarks: 'true' });
      const silent = await fixture.watch(maps, query);
      clock.advance(60_000);
      const [first] = await stream.take(1);
      expect(first).toMatchObject({
        type: 'BOOKMARK',
        object: { kind: fixture.kind.kind, apiVersion: fixture.kind.apiVersion },
      });
      // apiVersion and kind come first, as in every object
      expect(Object.keys(first.object)).toEqual(['kind', 'apiVersion', 'metadata']);
      const later = await fixture.put(maps, 'b');
      expect(summaries(await stream.take(1))).toEqual(['ADDED b']);
      // the server writes too
      const known = fixture.server.revision();
      expect(known).toBeGreaterThanOrEqual(Number(later));
      clock.advance(60_000);
      const [second] = await stream.take(1);
      expect([summaries([second]), versionsOf([second])]).toEqual([['BOOKMARK'], [known]]);
      // a write of another resource increments the version
      await fixture.put(besideOf(maps, 'secrets'), 's');
      const newest = fixture.server.revision();
      expect(newest).toBeGreaterThan(known);
      clock.advance(30_000);
      const rest = await stream.rest();
      expect([summaries(rest), versionsOf(rest)]).toEqual([['BOOKMARK'], [newest]]);
      expect(summaries(await silent.rest())).toEqual(['ADDED b']);
    });

    test('ends after timeoutSeconds', async () => {
      const stream = await fixture.watch(maps, { timeoutSeconds: 10, resourceVersion: fixture.server.revision() });
      clock.advance(9_999);
      await fixture.put(maps, 'a');
      expect(summaries(await stream.take(1))).toEqual(['ADDED a']);
      clock.advance(1);
      expect(await stream.rest()).toEqual([]);
    });

    test('may have a long timeoutSeconds', async () => {
      const stream = await fixture.watch(maps, { timeoutSeconds: 999_999_999_999 });
      clock.advance(100_000_000);
      await fixture.put(maps, 'a');
      expect(summaries(await stream.take(1))).toEqual(['ADDED a']);
      stream.close();
    });
  });
});

describe('server flags', () => {
  test('--min-request-timeout is the minimum duration of a watch, twice it the maximum', async () => {
    const clock = new ManualClock();
    const fixture = await ObjectFixture.open('memory', { clock, minRequestTimeout: 100 });
    const maps = await fixture.fresh();
    const streams = await Promise.all([1, 2, 3].map(() => fixture.watch(maps)));
    clock.advance(99_999);
    await fixture.put(maps, 'a');
    for (const stream of streams) expect(summaries(await stream.take(1))).toEqual(['ADDED a']);
    clock.advance(100_001);
    for (const stream of streams) expect(await stream.rest()).toEqual([]);
    await fixture.close();
  });

  test('--compaction-window is how long history is retained', async () => {
    const clock = new ManualClock();
    const fixture = await ObjectFixture.open('memory', { clock, compactionWindow: 60_000 });
    const maps = await fixture.fresh();
    const old = await fixture.put(maps, 'a');
    await fixture.put(maps, 'a', { data: { n: '2' } });
    clock.advance(30_000);
    await fixture.put(maps, 'b');
    const kept = await fixture.watch(maps, { resourceVersion: old });
    expect(summaries(await kept.take(2))).toEqual(['MODIFIED a', 'ADDED b']);
    kept.close();
    clock.advance(45_000);
    expect(await (await fixture.watch(maps, { resourceVersion: old })).rest()).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
    expect((await fixture.get(maps, { resourceVersion: old, resourceVersionMatch: 'Exact' })).status).toBe(410);
    await fixture.close();
  });
});

describe('a slow reader', () => {
  test('is disconnected after a whole event, and delays no others', async () => {
    const clock = new ManualClock();
    const fixture = await ObjectFixture.open('memory', { clock });
    const maps = await fixture.fresh();
    const after = fixture.server.revision();
    const dead = await fixture.watch(maps, { resourceVersion: after });
    const slow = await fixture.watch(maps, { resourceVersion: after });
    dead.pause();
    const quick = await fixture.watch(maps, { resourceVersion: after });
    slow.pause();
    const total = 26;
    const big = 'x'.repeat(900_000);
    for (let count = 0; count < total; count++) await fixture.put(maps, 'a', { data: { big, count: String(count) } });
    const all = await quick.take(total);
    slow.resume();
    const some = await slow.rest();
    expect(some.length).toBeLessThan(total);
    expect(versionsOf(some)).toEqual(versionsOf(all).slice(0, some.length));
    // the server disconnects a client that does not read
    clock.advance(30_000);
    dead.resume();
    expect((await dead.rest()).length).toBeLessThan(some.length);
    // the other client continues
    const next = await fixture.watch(maps, { resourceVersion: some[some.length - 1].object.metadata.resourceVersion });
    expect(versionsOf(await next.take(total - some.length))).toEqual(versionsOf(all).slice(some.length));
    quick.close();
    next.close();
    await fixture.close();
  });
});
