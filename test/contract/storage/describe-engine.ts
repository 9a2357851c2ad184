import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change, ChangeSummary, Engine, EngineResult, Write } from '../../../runtime/storage/kv/engine.ts';
import { listenToCommits } from '../../support/commits.ts';
import { testUnless } from '../../support/skipping.ts';

/** Makes an engine for the suite. Each call returns a new empty store. */
export type MakeEngine = () => Promise<{ engine: Engine; dispose: () => Promise<void> }>;

/** The reasons why a store cannot keep a part of the contract. */
export interface StoreLimits {
  /** It does not compact when it is asked. */
  readonly compaction?: string;
  /** A revision without a change may lie between two changes. */
  readonly contiguousRevisions?: string;
  /** A watch that starts beside writes may miss one of them. */
  readonly completeWatches?: string;
  /** The end of a range cannot hold NUL. No range of an object store has such an end. */
  readonly endsWithNUL?: string;
}

/** Makes several engines of one new empty store, like those of several processes. */
export type MakeEngines = (count: number) => Promise<{ engines: readonly Engine[]; dispose: () => Promise<void> }>;

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => (value === undefined ? undefined : new TextDecoder().decode(value));

const summaryOf = (change: Change | ChangeSummary): ChangeSummary => {
  if ('size' in change) return change;
  const { type, key, revision, current, previous } = change;
  const size = current.value.length + (previous?.value.length ?? 0);
  return { type, key, revision, hasPrevious: previous !== undefined, size };
};

/** The contract of `Engine`, the same for every engine. */
export function describeEngine(name: string, makeEngine: MakeEngine, limits: StoreLimits = {}): void {
  describe(`engine: ${name}`, () => {
    let engine: Engine;
    let dispose: () => Promise<void>;

    beforeEach(async () => {
      ({ engine, dispose } = await makeEngine());
    });
    afterEach(async () => {
      await engine.close();
      await dispose();
    });

    const put = (key: string, value: string, expect: number | 'any' = 'any') =>
      engine.write({ type: 'put', key, value: bytes(value), expect });
    const remove = (key: string, expect: number | 'any' = 'any') => engine.write({ type: 'delete', key, expect });
    const revisionOf = (result: EngineResult) => (result.ok ? result.change.revision : 0);
    const get = async (key: string, revision?: number) => text((await engine.get(key, revision))?.value);
    const list = async (start: string, end: string, options?: { limit?: number; revision?: number }) => {
      const range = await engine.range(start, end, options);
      return { items: range.items.map(({ key, value }) => `${key}=${text(value)}`), more: range.more };
    };
    /** Returns the changes after `revision`, with their values. */
    const changesAfter = async (revision: number) => {
      const shown: string[] = [];
      for (const note of (await engine.changes(revision, 100)).map(summaryOf)) {
        const now = await get(note.key, note.revision);
        const before = note.hasPrevious ? ` was ${await get(note.key, note.revision - 1)}` : '';
        shown.push(`${note.revision} ${note.type} ${note.key}=${now}${before}`);
      }
      return shown;
    };
    const show = ({ type, key, revision, current, previous }: Change) =>
      `${revision} ${type} ${key}=${text(current.value)}${previous === undefined ? '' : ` was ${text(previous.value)}`}`;

    test('an empty store is at revision 1 and can be read there', async () => {
      expect(engine.revision()).toBe(1);
      expect(engine.compactedRevision()).toBe(0);
      expect(await get('a')).toBeUndefined();
      expect(await get('a', 1)).toBeUndefined();
      expect(await engine.range('a', 'z')).toEqual({ items: [], more: false, revision: 1 });
    });

    test('every write takes the next revision of one counter', async () => {
      expect(revisionOf(await put('a', '1'))).toBe(2);
      expect(revisionOf(await put('b', '1'))).toBe(3);
      expect(revisionOf(await remove('a'))).toBe(4);
      expect(engine.revision()).toBe(4);
    });

    test('a key keeps its create revision until it is deleted', async () => {
      await put('a', '1');
      await put('a', '2');
      expect(await engine.get('a')).toMatchObject({ key: 'a', createRevision: 2, modRevision: 3 });
      await remove('a');
      await put('a', '3');
      expect(await engine.get('a')).toMatchObject({ createRevision: 5, modRevision: 5 });
    });

    describe('guards', () => {
      const cases: { name: string; write: () => Promise<EngineResult>; ok: boolean; after: string | undefined }[] = [
        { name: 'put of a present key that should be absent', write: () => put('a', 'x', 0), ok: false, after: '1' },
        { name: 'put of an absent key that should be absent', write: () => put('b', 'x', 0), ok: true, after: '1' },
        { name: 'put at the current revision', write: () => put('a', 'x', 2), ok: true, after: 'x' },
        { name: 'put at another revision', write: () => put('a', 'x', 1), ok: false, after: '1' },
        { name: 'put of an absent key at a revision', write: () => put('b', 'x', 2), ok: false, after: '1' },
        { name: 'delete at the current revision', write: () => remove('a', 2), ok: true, after: undefined },
        { name: 'delete at another revision', write: () => remove('a', 3), ok: false, after: '1' },
        { name: 'delete of an absent key', write: () => remove('b'), ok: false, after: '1' },
        { name: 'delete of an absent key that should be absent', write: () => remove('b', 0), ok: false, after: '1' },
      ];
      for (const { name, write, ok, after } of cases) {
        test(name, async () => {
          await put('a', '1');
          const result = await write();
          expect(result.ok).toBe(ok);
          expect(engine.revision()).toBe(ok ? 3 : 2);
          expect(await get('a')).toBe(after);
        });
      }

      test('a rejected write returns the current value', async () => {
        await put('a', '1');
        const result = await put('a', '2', 0);
        expect(result.ok ? undefined : result.current).toMatchObject({ key: 'a', createRevision: 2, modRevision: 2 });
        expect(await remove('b', 7)).toEqual({ ok: false });
      });

      test('exactly one of concurrent writes with one guard succeeds', async () => {
        await put('a', '0');
        const results = await Promise.all(Array.from({ length: 50 }, (_, at) => put('a', `${at + 1}`, 2)));
        const winner = results.findIndex(({ ok }) => ok);
        expect(results.filter(({ ok }) => ok)).toHaveLength(1);
        expect(await get('a')).toBe(`${winner + 1}`);
        for (const result of results) {
          if (!result.ok) expect(text(result.current?.value)).toBe(`${winner + 1}`);
        }
      });
    });

    test('a change has the previous value', async () => {
      const seen: Change[] = [];
      listenToCommits(engine, (changes) => seen.push(...changes));
      await put('a', '1');
      await put('a', '2');
      await remove('a');
      expect(seen.map(show)).toEqual(['2 put a=1', '3 put a=2 was 1', '4 delete a=2 was 2']);
      expect(seen[2].current).toMatchObject({ createRevision: 2, modRevision: 3 });
    });

    test('keys are ordered by their UTF-8 bytes', async () => {
      const keys = ['a', 'a!', 'a/b', 'a0', 'b', '\u00e9', '\uff5e', '\u{1f600}'];
      for (const key of [...keys].reverse()) await put(key, '');
      const { items } = await engine.range('a', '\u{10ffff}');
      expect(items.map(({ key }) => key)).toEqual(keys);
    });

    test('a range includes its start and excludes its end', async () => {
      for (const key of ['a', 'b', 'c', 'd']) await put(key, key);
      expect(await list('b', 'd')).toEqual({ items: ['b=b', 'c=c'], more: false });
      expect(await list('d', 'b')).toEqual({ items: [], more: false });
      expect(await list('b', 'b')).toEqual({ items: [], more: false });
    });

    test('a range continues after a key with NUL, at any revision', async () => {
      for (const key of ['a', 'b', 'c']) await put(key, '1');
      for (const key of ['a', 'b', 'c']) await put(key, '2');
      expect(await list('a\0', 'z', { revision: 4 })).toEqual({ items: ['b=1', 'c=1'], more: false });
      expect(await list('a\0', 'z')).toEqual({ items: ['b=2', 'c=2'], more: false });
    });

    testUnless(limits.endsWithNUL)('a range ends with a key before NUL', async () => {
      for (const key of ['a', 'b', 'c']) await put(key, '1');
      expect(await list('a', 'b\0')).toEqual({ items: ['a=1', 'b=1'], more: false });
    });

    test('limit truncates a range and reports that there is more', async () => {
      for (const key of ['a', 'b', 'c']) await put(key, key);
      expect(await list('a', 'z', { limit: 2 })).toEqual({ items: ['a=a', 'b=b'], more: true });
      expect(await list('a', 'z', { limit: 3 })).toEqual({ items: ['a=a', 'b=b', 'c=c'], more: false });
    });

    test('every revision reads as it was written', async () => {
      await put('a', '1'); // 2
      await put('c', '1'); // 3
      await put('a', '2'); // 4
      await remove('c'); // 5
      await put('b', '1'); // 6
      await put('c', '2'); // 7
      await put('aa', '1'); // 8
      const want: Record<number, string[]> = {
        1: [],
        2: ['a=1'],
        3: ['a=1', 'c=1'],
        4: ['a=2', 'c=1'],
        5: ['a=2'],
        6: ['a=2', 'b=1'],
        7: ['a=2', 'b=1', 'c=2'],
        8: ['a=2', 'aa=1', 'b=1', 'c=2'],
      };
      for (let revision = 1; revision <= 8; revision += 1) {
        expect(await list('a', 'z', { revision })).toEqual({ items: want[revision], more: false });
        expect(await get('c', revision)).toBe(want[revision].find((item) => item.startsWith('c='))?.slice(2));
      }
      expect(await list('a', 'z', { revision: 4, limit: 1 })).toEqual({ items: ['a=2'], more: true });
      expect(await engine.get('c', 4)).toMatchObject({ createRevision: 3, modRevision: 3 });
    });

    test('a revision from the future is rejected', async () => {
      await put('a', '1');
      const error = { isStorageError: true, code: 'future', revision: 2 };
      await expect(engine.get('a', 3)).rejects.toMatchObject(error);
      await expect(engine.range('a', 'z', { revision: 3 })).rejects.toMatchObject(error);
      await expect(engine.compact(3)).rejects.toMatchObject(error);
    });

    describe('compaction', () => {
      beforeEach(async () => {
        await put('a', '1'); // 2
        await put('a', '2'); // 3
        await put('b', '1'); // 4
        await remove('b'); // 5
        await put('a', '3'); // 6
      });

      test('rejects earlier revisions and keeps later ones', async () => {
        await engine.compact(5);
        expect(engine.compactedRevision()).toBe(4);
        const error = { isStorageError: true, code: 'compacted', revision: 4 };
        await expect(engine.get('a', 4)).rejects.toMatchObject(error);
        await expect(engine.range('a', 'z', { revision: 2 })).rejects.toMatchObject(error);
        await expect(engine.changes(4, 1)).rejects.toMatchObject(error);
        expect(await list('a', 'z', { revision: 5 })).toEqual({ items: ['a=2'], more: false });
        expect(await list('a', 'z')).toEqual({ items: ['a=3'], more: false });
        expect(await changesAfter(5)).toEqual(['6 put a=3 was 2']);
      });

      test('to the newest revision keeps the current values', async () => {
        await engine.compact(6);
        expect(await list('a', 'z')).toEqual({ items: ['a=3'], more: false });
        expect(engine.revision()).toBe(6);
        await put('a', '4');
        expect(await changesAfter(6)).toEqual(['7 put a=4 was 3']);
        expect(await get('a', 6)).toBe('3');
      });

      test('can be repeated, and an older revision has no effect', async () => {
        await engine.compact(5);
        await engine.compact(5);
        await engine.compact(2);
        expect(engine.compactedRevision()).toBe(4);
        await engine.compact(6);
        expect(engine.compactedRevision()).toBe(5);
      });
    });

    describe('changes', () => {
      testUnless(limits.contiguousRevisions)('are returned once and in order, however many are requested at a time', async () => {
        await Promise.all(Array.from({ length: 600 }, (_, at) => put(`k${at % 7}`, `${at}`)));
        await put('k', 'last');
        const all = (await engine.changes(1, 1000)).map(summaryOf);
        expect(all.map(({ revision }) => revision)).toEqual(Array.from({ length: 601 }, (_, at) => at + 2));
        const inParts: ChangeSummary[] = [];
        while (inParts.length < all.length) {
          inParts.push(...(await engine.changes(1 + inParts.length, 64)).map(summaryOf));
        }
        expect(inParts).toEqual(all);
      });

      test('match what listeners received', async () => {
        const heard: Change[] = [];
        listenToCommits(engine, (changes) => heard.push(...changes));
        await put('a', 'one');
        await put('a', 'three');
        await put('b', '');
        await remove('a');
        await put('a', 'again');
        const want = heard.map(({ type, key, revision, current, previous }) => ({
          type,
          key,
          revision,
          hasPrevious: previous !== undefined,
          size: current.value.length + (previous?.value.length ?? 0),
        }));
        expect(want.map(({ size }) => size)).toEqual([3, 8, 0, 10, 5]);
        expect((await engine.changes(1, 100)).map(summaryOf)).toEqual(want);
        expect((await engine.changes(2, 2)).map(summaryOf)).toEqual(want.slice(1, 3));
        expect(await engine.changes(6, 1)).toEqual([]);
      });

      test('end with compaction', async () => {
        for (let at = 0; at < 5; at += 1) await put('a', `${at}`);
        await engine.compact(4);
        await expect(engine.changes(3, 9)).rejects.toMatchObject({ code: 'compacted' });
        expect((await engine.changes(4, 9)).map(summaryOf).map(({ revision, size }) => [revision, size])).toEqual([
          [5, 2],
          [6, 2],
        ]);
      });
    });

    testUnless(limits.contiguousRevisions)('listeners receive every commit in order, before its writers do', async () => {
      const heard: string[] = [];
      const stop = listenToCommits(engine, (changes) => heard.push(...changes.map(({ revision }) => `commit ${revision}`)));
      await Promise.all(
        ['a', 'b', 'c'].map(async (key) => {
          const result = await put(key, '');
          heard.push(`writer ${revisionOf(result)}`);
          expect(heard.indexOf(`commit ${revisionOf(result)}`)).toBeLessThan(heard.indexOf(`writer ${revisionOf(result)}`));
        }),
      );
      expect(heard.filter((line) => line.startsWith('commit'))).toEqual(['commit 2', 'commit 3', 'commit 4']);
      stop();
      await put('d', '');
      expect(heard).toHaveLength(6);
    });

    test('a listener sees the store as of its commit or later', async () => {
      const seen: number[] = [];
      listenToCommits(engine, (changes) => seen.push(engine.revision() - changes[changes.length - 1].revision));
      await Promise.all(Array.from({ length: 20 }, (_, at) => put(`k${at}`, '')));
      expect(new Set(seen)).toEqual(new Set([0]));
    });

    test('values are stored byte by byte', async () => {
      const value = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
      await engine.write({ type: 'put', key: 'big', value, expect: 0 });
      await engine.write({ type: 'put', key: 'empty', value: new Uint8Array(0), expect: 0 });
      expect(Buffer.compare((await engine.get('big'))!.value, value)).toBe(0);
      expect((await engine.get('empty'))!.value).toHaveLength(0);
    });

    test('rejects keys that no engine could store', async () => {
      for (const key of ['', 'a\0b', 'k'.repeat(1025)]) await expect(put(key, '')).rejects.toThrow(/storage key/);
      expect((await put('k'.repeat(1024), '')).ok).toBe(true);
    });

    testUnless(limits.completeWatches)('closing waits for pending work and rejects new work', async () => {
      const writes = Array.from({ length: 10 }, (_, at) => put(`k${at}`, ''));
      const closed = engine.close();
      const late = put('late', '');
      await expect(late).rejects.toMatchObject({ code: 'unavailable' });
      expect((await Promise.all(writes)).every(({ ok }) => ok)).toBe(true);
      await closed;
      await expect(put('later', '')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(engine.get('k1')).rejects.toMatchObject({ code: 'unavailable' });
      await engine.close();
    });
  });
}

/** The contract of `Engine` for stores with several writing processes. */
export function describeEngines(name: string, makeEngines: MakeEngines, limits: StoreLimits = {}): void {
  describe(`several engines: ${name}`, () => {
    let engines: readonly Engine[];
    let dispose: () => Promise<void>;

    beforeEach(async () => {
      ({ engines, dispose } = await makeEngines(3));
    });
    afterEach(async () => {
      await Promise.all(engines.map((engine) => engine.close()));
      await dispose();
    });

    const put = (engine: Engine, key: string, value: string, expect: Write['expect'] = 'any') =>
      engine.write({ type: 'put', key, value: bytes(value), expect });
    /** Resolves when the listeners of an engine have every acknowledged write. */
    const upToDate = async (engine: Engine) => {
      const current = await engine.currentRevision();
      if (current <= engine.revision()) return;
      await new Promise<void>((resolve) => {
        const onCommit = () => {
          if (engine.revision() < current) return;
          stop();
          resolve();
        };
        const stop = listenToCommits(engine, onCommit);
      });
    };
    const show = ({ type, key, revision, current }: Change) => `${revision} ${type} ${key}=${text(current.value)}`;

    testUnless(limits.contiguousRevisions)('each hears all changes, in the same order', async () => {
      const heard = engines.map((engine) => {
        const changes: string[] = [];
        listenToCommits(engine, (batch) => changes.push(...batch.map(show)));
        return changes;
      });
      const writes = Array.from({ length: 60 }, (_, at) => put(engines[at % 3], `k${at % 7}`, `${at}`));
      await Promise.all(writes);
      await engines[1].write({ type: 'delete', key: 'k0', expect: 'any' });
      await Promise.all(engines.map(upToDate));
      expect(heard[0]).toHaveLength(61);
      expect(heard[0].at(-1)).toMatch(/^62 delete k0=/);
      expect(heard[1]).toEqual(heard[0]);
      expect(heard[2]).toEqual(heard[0]);
    });

    test('the current revision has the writes of all, and listeners get there without another call', async () => {
      await put(engines[0], 'a', '1');
      expect(await engines[1].currentRevision()).toBe(2);
      await upToDate(engines[1]);
      expect(engines[1].revision()).toBe(2);
    });

    test('reads of the newest state have the writes of all', async () => {
      await put(engines[0], 'a', '1');
      expect(text((await engines[1].get('a'))?.value)).toBe('1');
      const range = await engines[2].range('a', 'b');
      expect(range).toMatchObject({ items: [{ key: 'a', createRevision: 2, modRevision: 2 }], revision: 2 });
    });

    test('exactly one of the writes with one guard succeeds, and the others learn the state', async () => {
      const results = await Promise.all(engines.map((engine, at) => put(engine, 'a', `${at}`, 0)));
      const winner = results.findIndex(({ ok }) => ok);
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      for (const result of results) {
        if (!result.ok) expect(result.current).toMatchObject({ modRevision: 2, value: bytes(`${winner}`) });
      }
    });

    test('a write is guarded by the revision that another engine wrote', async () => {
      await put(engines[0], 'a', '1');
      const updated = await put(engines[1], 'a', '2', 2);
      expect(updated.ok && updated.change).toMatchObject({ revision: 3, current: { createRevision: 2 } });
      expect(await engines[2].write({ type: 'delete', key: 'a', expect: 2 })).toMatchObject({ ok: false });
      expect(await engines[2].write({ type: 'delete', key: 'a', expect: 3 })).toMatchObject({ ok: true });
    });

    test('a write resolves when the listeners of its engine know it', async () => {
      const heard: number[] = [];
      listenToCommits(engines[0], (changes) => heard.push(...changes.map(({ revision }) => revision)));
      await put(engines[1], 'a', '1');
      await put(engines[2], 'b', '1');
      await put(engines[0], 'c', '1');
      expect(heard).toEqual([2, 3, 4]);
      expect(engines[0].revision()).toBe(4);
    });

    test('changes and revisions are read alike', async () => {
      await put(engines[0], 'a', '1');
      await put(engines[1], 'a', '22');
      await Promise.all(engines.map(upToDate));
      for (const engine of engines) {
        expect((await engine.changes(1, 9)).map(summaryOf)).toEqual([
          { type: 'put', key: 'a', revision: 2, hasPrevious: false, size: 1 },
          { type: 'put', key: 'a', revision: 3, hasPrevious: true, size: 3 },
        ]);
        expect(text((await engine.get('a', 2))?.value)).toBe('1');
      }
    });

    testUnless(limits.compaction)('compaction by one is compaction for all', async () => {
      await put(engines[0], 'a', '1');
      await put(engines[0], 'a', '2');
      await engines[0].compact(3);
      await expect(engines[1].get('a', 2)).rejects.toMatchObject({ code: 'compacted' });
      await expect(engines[2].changes(2, 9)).rejects.toMatchObject({ code: 'compacted' });
      expect(text((await engines[1].get('a', 3))?.value)).toBe('2');
    });

    test('when one is closed, the others continue', async () => {
      await engines[0].close();
      expect((await put(engines[1], 'a', '1')).ok).toBe(true);
      expect(text((await engines[2].get('a'))?.value)).toBe('1');
      await expect(put(engines[0], 'b', '1')).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
}
