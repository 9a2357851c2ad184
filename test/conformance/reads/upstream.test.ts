import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { namesOf, ObjectFixture, type Query, storages } from '../../support/object-fixture.ts';
import type { WatchEvent, WatchStream } from '../../support/watch-stream.ts';

const summaries = (events: readonly WatchEvent[]): string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name} ${object.data?.mutation ?? ''}`.trim());
const versionsOf = (events: readonly WatchEvent[]): string[] => events.map(({ object }) => object.metadata.resourceVersion);

/** The steps of upstream's conformance tests with these names. */
describe.each(storages)('[sig-api-machinery] over %s storage', (storage) => {
  let fixture: ObjectFixture;
  beforeAll(async () => {
    fixture = await ObjectFixture.open(storage);
  });
  afterAll(() => fixture.close());

  describe('Servers with support for API chunking', () => {
    const total = 40;
    let templates: string;
    const numbered = Array.from({ length: total }, (_, at) => `template-${String(at).padStart(4, '0')}`);

    beforeEach(async () => {
      templates = await fixture.fresh('/api/v1', 'podtemplates');
      const template = { spec: { containers: [{ name: 'test', image: 'test2' }] } };
      await Promise.all(numbered.map((name) => fixture.put(templates, name, { template })));
    });

    /** Returns the pages of a list from `token` on. */
    async function pagesFrom(limit: number, token = ''): Promise<{ names: string[]; versions: Set<string> }> {
      const names: string[] = [];
      const versions = new Set<string>();
      let next = token;
      do {
        const query: Query = next === '' ? { limit } : { limit, continue: next };
        const page = await fixture.get(templates, query);
        expect(page.status).toBe(200);
        names.push(...namesOf(page));
        versions.add(page.json.metadata.resourceVersion);
        next = page.json.metadata.continue ?? '';
        const { remainingItemCount } = page.json.metadata;
        expect(remainingItemCount).toBe(next === '' ? undefined : total - names.length);
      } while (next !== '');
      return { names, versions };
    }

    test('should return chunks of results for list calls', async () => {
      for (const limit of [1, 3, 4, 17, total]) {
        const { names, versions } = await pagesFrom(limit);
        expect(names).toEqual(numbered);
        expect(versions.size).toBe(1);
      }
      const whole = await fixture.get(templates, { limit: 0 });
      expect(namesOf(whole)).toEqual(numbered);
      expect(whole.json.metadata).not.toHaveProperty('continue');
    });

    test('should support continue listing from the last key if the original version has been compacted away, though the list is inconsistent [Slow]', async () => {
      const limit = 7;
      const first = await fixture.get(templates, { limit });
      await fixture.put(templates, 'zz-later', { template: { spec: { containers: [{ name: 'test', image: 'i' }] } } });
      await fixture.remove(templates, 'zz-later');
      await fixture.server.compact();
      const gone = await fixture.get(templates, { limit, continue: first.json.metadata.continue });
      expect([gone.status, gone.json.reason]).toEqual([410, 'Expired']);
      const fresh = gone.json.metadata.continue;
      expect(fresh).toBeTruthy();
      const second = await fixture.get(templates, { limit, continue: fresh });
      expect(second.json.metadata.resourceVersion).not.toBe(first.json.metadata.resourceVersion);
      expect(second.json.metadata.remainingItemCount).toBe(total - 2 * limit);
      const names = [...namesOf(first), ...namesOf(second)];
      for (let token = second.json.metadata.continue; token; ) {
        const page = await fixture.get(templates, { limit, continue: token });
        names.push(...namesOf(page));
        token = page.json.metadata.continue;
      }
      expect(names).toEqual(numbered);
    });
  });

  describe('Servers with support for Table transformation', () => {
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

    test('should return a 406 for a backend which does not implement metadata', async () => {
      const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const { status } = await fixture.client.send('POST', path, JSON.stringify(review), 'application/json', {
        headers: { accept: table },
      });
      expect(status).toBe(406);
    });

    test('should return pod details', async () => {
      const pods = await fixture.fresh('/api/v1', 'pods');
      await fixture.put(pods, 'pod-1', { spec: { containers: [{ name: 'c', image: 'i' }] } });
      const { json } = await fixture.get(`${pods}/pod-1`, {}, table);
      expect(json.columnDefinitions.length).toBeGreaterThan(2);
      expect(json.rows).toHaveLength(1);
      expect(json.rows[0].cells.length).toBe(json.columnDefinitions.length);
      expect([json.columnDefinitions[0].name, json.rows[0].cells[0]]).toEqual(['Name', 'pod-1']);
    });

    test('should return chunks of table results for list calls', async () => {
      const templates = await fixture.fresh('/api/v1', 'podtemplates');
      for (const name of ['a', 'b', 'c']) {
        await fixture.put(templates, name, { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } });
      }
      const first = await fixture.get(templates, { limit: 2 }, table);
      expect(first.json.rows).toHaveLength(2);
      expect(first.json.metadata.remainingItemCount).toBe(1);
      const second = await fixture.get(templates, { limit: 2, continue: first.json.metadata.continue }, table);
      expect(second.json.rows).toHaveLength(1);
      expect(second.json.metadata.resourceVersion).toBe(first.json.metadata.resourceVersion);
      expect(second.json.metadata).not.toHaveProperty('continue');
    });
  });

  describe('Watchers', () => {
    let maps: string;
    let streams: WatchStream[];
    beforeEach(async () => {
      maps = await fixture.fresh();
      streams = [];
    });

    async function watch(query: Query): Promise<WatchStream> {
      const stream = await fixture.watch(maps, query);
      streams.push(stream);
      return stream;
    }
    const close = (): void => {
      for (const stream of streams) stream.close();
    };
    const mutate = (name: string, mutation: number, label: string) =>
      fixture.put(maps, name, { data: { mutation: String(mutation) } }, { 'watch-this-configmap': label });

    test('should observe add, update, and delete watch notifications on configmaps', async () => {
      const from = { resourceVersion: fixture.server.revision() };
      const a = await watch({ ...from, labelSelector: 'watch-this-configmap=A' });
      const b = await watch({ ...from, labelSelector: 'watch-this-configmap=B' });
      const both = await watch({ ...from, labelSelector: 'watch-this-configmap in (A,B)' });
      await mutate('a', 0, 'A');
      await mutate('a', 1, 'A');
      await mutate('a', 2, 'A');
      await fixture.remove(maps, 'a');
      await mutate('b', 0, 'B');
      await fixture.remove(maps, 'b');
      const ofA = ['ADDED a 0', 'MODIFIED a 1', 'MODIFIED a 2', 'DELETED a 2'];
      const ofB = ['ADDED b 0', 'DELETED b 0'];
      expect(summaries(await a.take(4))).toEqual(ofA);
      expect(summaries(await b.take(2))).toEqual(ofB);
      expect(summaries(await both.take(6))).toEqual([...ofA, ...ofB]);
      close();
    });

    test('should be able to start watching from a specific resource version', async () => {
      await mutate('a', 0, 'A');
      const from = await mutate('a', 1, 'A');
      await mutate('a', 2, 'A');
      await fixture.remove(maps, 'a');
      const stream = await watch({ resourceVersion: from });
      expect(summaries(await stream.take(2))).toEqual(['MODIFIED a 2', 'DELETED a 2']);
      close();
    });

    test('should be able to restart watching from the last resource version observed by the previous watch', async () => {
      const first = await watch({ resourceVersion: fixture.server.revision() });
      await mutate('a', 0, 'A');
      await mutate('a', 1, 'A');
      const seen = await first.take(2);
      first.close();
      await mutate('a', 2, 'A');
      await fixture.remove(maps, 'a');
      const second = await watch({ resourceVersion: seen[1].object.metadata.resourceVersion });
      expect(summaries(await second.take(2))).toEqual(['MODIFIED a 2', 'DELETED a 2']);
      close();
    });

    test('should observe an object deletion if it stops meeting the requirements of the selector', async () => {
      const selected = 'label-changed-and-restored';
      const stream = await watch({
        resourceVersion: fixture.server.revision(),
        labelSelector: `watch-this-configmap=${selected}`,
      });
      await mutate('a', 0, selected);
      await mutate('a', 1, selected);
      await mutate('a', 1, 'wrong-value');
      await mutate('a', 2, 'wrong-value');
      await mutate('a', 2, selected);
      await mutate('a', 3, selected);
      await fixture.remove(maps, 'a');
      expect(summaries(await stream.take(6))).toEqual([
        'ADDED a 0',
        'MODIFIED a 1',
        'DELETED a 1',
        'ADDED a 2',
        'MODIFIED a 3',
        'DELETED a 3',
      ]);
      close();
    });

    test('should receive events on concurrent watches in same order', async () => {
      const total = 30;
      const first = await watch({ resourceVersion: fixture.server.revision() });
      const writing = (async () => {
        for (let round = 0; round < total; round++) {
          if (round % 3 === 2) await fixture.remove(maps, `cm-${(round % 6) - 2}`);
          else await mutate(`cm-${(round % 6) - (round % 3)}`, round, 'A');
        }
      })();
      const expected: string[] = [];
      const later: { from: number; events: Promise<WatchEvent[]> }[] = [];
      for (let round = 0; round < total; round++) {
        expected.push(...versionsOf(await first.take(1)));
        if (round % 3 === 0) {
          const stream = await watch({ resourceVersion: expected[round] });
          later.push({ from: round + 1, events: stream.take(total - round - 1) });
        }
      }
      await writing;
      for (const { from, events } of later) expect(versionsOf(await events)).toEqual(expected.slice(from));
      close();
    });
  });
});
