import type { Clock } from '../../machinery/clock.ts';
import { StorageError } from '../../storage/errors.ts';
import type { Change, Engine, EngineListener, EngineResult, KeyValue, Range, RangeOptions, Write } from '../../storage/kv/engine.ts';
import type { EngineState, EngineStates } from '../../storage/kv/engine-states.ts';
import { StoredValue } from '../../storage/mvcc/stored-value.ts';

/**
 * The store of a replay. During the replay, writes of others succeed at revision 0 and are discarded: the recording
 * determines the objects.
 */
export class ReplayedEngine implements EngineStates {
  /** The replay is running, or has yet to start. */
  isFed = true;
  readonly #below: EngineStates;

  constructor(below: EngineStates) {
    this.#below = below;
  }

  revision(): number {
    return this.#below.revision();
  }

  currentRevision(): number | Promise<number> {
    return this.#below.currentRevision();
  }

  compactedRevision(): number {
    return this.#below.compactedRevision();
  }

  get(key: string, revision?: number): Promise<KeyValue | undefined> {
    return this.#below.get(key, revision);
  }

  range(start: string, end: string, options?: RangeOptions): Promise<Range> {
    return this.#below.range(start, end, options);
  }

  write(write: Write): Promise<EngineResult> {
    return this.isFed ? this.#pretend(write) : this.#below.write(write);
  }

  changes(revision: number, limit: number): ReturnType<Engine['changes']> {
    return this.#below.changes(revision, limit);
  }

  listen(listener: EngineListener): () => void {
    return this.#below.listen(listener);
  }

  compact(revision: number): Promise<void> {
    return this.#below.compact(revision);
  }

  close(): Promise<void> {
    return this.#below.close();
  }

  state(): EngineState {
    return this.#below.state();
  }

  restore(...[state, continues]: Parameters<EngineStates['restore']>): ReturnType<EngineStates['restore']> {
    if (this.isFed) throw new StorageError('unavailable', 'nothing can be restored before the end of the replay');
    return this.#below.restore(state, continues);
  }

  /** Returns an independent engine. */
  fork(state: EngineState, clock?: Clock): EngineStates {
    return this.#below.fork(state, clock);
  }

  async #pretend(write: Write): Promise<EngineResult> {
    const { type, key, expect } = write;
    const current = await this.#below.get(key);
    const isConflict = expect !== 'any' && (current?.modRevision ?? 0) !== expect;
    if (isConflict || (type === 'delete' && current === undefined)) return { ok: false, ...(current && { current }) };
    return { ok: true, change: pretended(write, current) };
  }
}

/** Returns the result of a discarded write: revision 0, which the store never uses. */
function pretended(write: Write, previous: KeyValue | undefined): Change {
  const { type, key } = write;
  const of = { type, key, revision: 0, ...(previous && { previous }) };
  if (write.type === 'delete') return { ...of, current: previous as KeyValue };
  return { ...of, current: new StoredValue(key, write.value, previous?.createRevision ?? 0, 0) };
}
