import { describe, expect, test } from '@jest/globals';
import { createMemoryEngine } from '../../../../runtime/storage/memory/memory-engine.ts';
import type { StoredObject } from '../../../../runtime/storage/object-store/contract.ts';
import { openObjectStore } from '../../../../runtime/storage/object-store/object-store.ts';
import { pod, pods } from '../../../contract/storage/describe-object-store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const count = 6000;
const padding = 'x'.repeat(2000);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function notes(objects: Iterable<StoredObject>): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const stored of objects) {
    const { metadata } = JSON.parse(Buffer.from(stored.json).toString());
    expect(metadata).toMatchObject({ name: stored.name, resourceVersion: String(stored.revision) });
    found.set(stored.name, metadata.annotations.note);
  }
  return found;
}

describe('packed objects', () => {
  test('do not change when compaction moves them, and neither do earlier snapshots', async () => {
    const engine = createMemoryEngine();
    const store = openObjectStore({ engine, clock: new ManualClock() });
    const collection = await store.collection(pods);
    const made = (at: number, note: string) => {
      const object = pod('ns', `p${at}`);
      object.metadata.annotations = { note, padding };
      return object;
    };
    const revisions = await Promise.all(
      Array.from({ length: count }, async (_, at) => (await collection.create(made(at, 'first')))?.revision as number),
    );
    const before = collection.latest();
    await Promise.all(revisions.map((revision, at) => (at % 5 === 0 ? undefined : collection.update(made(at, 'second'), revision))));
    await Promise.all(revisions.map((revision, at) => (at % 10 === 0 ? collection.delete('ns', `p${at}`, revision) : undefined)));
    await store.compact(store.revision());
    for (let at = 0; at < 50; at += 1) await turn();

    const now = notes(collection.latest().scan());
    expect(now.size).toBe(count * 0.9);
    for (const [name, note] of now) expect(note).toBe(Number(name.slice(1)) % 5 === 0 ? 'first' : 'second');
    expect(new Set(notes(before.scan()).values())).toEqual(new Set(['first']));
    const { items } = await engine.range('/', '0');
    expect(items.map(({ value }) => JSON.parse(Buffer.from(value).toString()).metadata.annotations.note)).toEqual([...now.values()]);
    await store.close();
  });
});
