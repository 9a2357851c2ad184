import { StorageError } from '../errors.ts';
import type { Engine } from '../kv/engine.ts';
import type { SnapshotRecord, StoreSnapshot } from '../kv/snapshot.ts';

/** How many keys are read at a time. */
const pageKeys = 256;

/** The newest revision of an engine, which must not be compacted while it is read. Closes the engine. */
export async function engineSnapshot(engine: Engine): Promise<StoreSnapshot> {
  return new EngineSnapshot(engine, await engine.currentRevision());
}

class EngineSnapshot implements StoreSnapshot {
  readonly #engine: Engine;
  readonly revision: number;
  readonly compactedRevision: number;

  constructor(engine: Engine, revision: number) {
    this.#engine = engine;
    this.revision = revision;
    this.compactedRevision = engine.compactedRevision();
  }

  async *pages(prefix = ''): AsyncGenerator<readonly SnapshotRecord[], void, undefined> {
    // after the last key with the prefix: no key contains this character
    const end = `${prefix}\u{10ffff}`;
    for (let start = prefix === '' ? '\x01' : prefix; ; ) {
      const { items, more } = await this.#engine.range(start, end, { limit: pageKeys, revision: this.revision });
      const unreadable = items.find(({ transformError }) => transformError !== undefined);
      if (unreadable !== undefined) {
        throw new StorageError('corrupt', `${unreadable.key}: ${unreadable.transformError}`);
      }
      if (items.length > 0) yield items;
      if (!more) return;
      start = `${items[items.length - 1].key}\0`;
    }
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}
