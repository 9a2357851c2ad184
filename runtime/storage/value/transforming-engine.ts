import { plainError } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { quote } from '../../machinery/go/quote.ts';
import { formatGroupResource } from '../../machinery/gvk.ts';
import type {
  Change,
  ChangeSummary,
  Engine,
  EngineListener,
  KeyValue,
  Range,
  RangeOptions,
  Write,
  WriteResult,
} from '../kv/engine.ts';
import { StoredValue } from '../mvcc/stored-value.ts';
import { groupResourceOf } from '../object-store/keys.ts';
import { isTransformError, type ResourceTransformers, type Transformer, type ValueContext } from './transformer.ts';

/**
 * An engine whose values are transformed: callers see them as they were before, and the engine below has them as they are in
 * storage. A value that cannot be transformed is returned as it is in storage, with the reason.
 */
export class TransformingEngine implements Engine {
  readonly #engine: Engine;
  readonly #transformers: ResourceTransformers;
  /** The values that are being written, by what they were transformed to. */
  readonly #writing = new Map<Uint8Array, Uint8Array>();

  constructor(engine: Engine, transformers: ResourceTransformers) {
    this.#engine = engine;
    this.#transformers = transformers;
  }

  get isShared(): boolean | undefined {
    return this.#engine.isShared;
  }

  revision(): number {
    return this.#engine.revision();
  }

  currentRevision(): number | Promise<number> {
    return this.#engine.currentRevision();
  }

  compactedRevision(): number {
    return this.#engine.compactedRevision();
  }

  async get(key: string, revision?: number): Promise<KeyValue | undefined> {
    const stored = await this.#engine.get(key, revision);
    return stored && this.#transform(stored);
  }

  async range(start: string, end: string, options: RangeOptions = {}): Promise<Range> {
    const { allocate, ...others } = options;
    // the values of a range have one prefix, or at least most of them have
    const range = await this.#engine.range(start, end, others);
    const items: KeyValue[] = [];
    const slice = new TimeSlice();
    for (const stored of range.items) {
      const item = await this.#transform(stored);
      items.push(allocate === undefined ? item : copied(item, allocate));
      if (slice.isOver) await slice.next();
    }
    return { ...range, items };
  }

  /** @throws StatusError 500 if the value cannot be transformed */
  async write(write: Write): Promise<WriteResult> {
    if (write.type === 'delete') return this.#engine.write(write);
    const { transformer, context } = this.#transformerOf(write.key);
    const value = toStorage(transformer, write.value, context);
    if (value === write.value) return this.#engine.write(write);
    this.#writing.set(value, write.value);
    try {
      return await this.#engine.write({ ...write, value });
    } finally {
      this.#writing.delete(value);
    }
  }

  changes(revision: number, limit: number): Promise<readonly ChangeSummary[]> {
    return this.#engine.changes(revision, limit);
  }

  listen(listener: EngineListener): () => void {
    return this.#engine.listen({
      onCommit: (changes) => listener.onCommit(changes.map((change) => this.#committed(change))),
      onLost: () => listener.onLost(),
    });
  }

  compact(revision: number): Promise<void> {
    return this.#engine.compact(revision);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** Whether a key has this revision, and its value would be transformed to something else now, or cannot be read. */
  async isStale(key: string, revision: number): Promise<boolean> {
    const stored = await this.#engine.get(key);
    if (stored?.modRevision !== revision) return false;
    const { transformer, context } = this.#transformerOf(key);
    try {
      return (await transformer.transformFromStorage(stored.value, context)).stale;
    } catch (error) {
      if (!isTransformError(error)) throw error;
      return true;
    }
  }

  #transformerOf(key: string): { readonly transformer: Transformer; readonly context: ValueContext } {
    const { group, resource } = groupResourceOf(key);
    const context = { authenticatedData: Buffer.from(key), resource: formatGroupResource({ group, resource }) };
    return { transformer: this.#transformers.transformerForResource(group, resource), context };
  }

  /** @throws StatusError 500 if the value cannot be read now, but perhaps later */
  async #transform(stored: KeyValue): Promise<KeyValue> {
    const { key, value, createRevision, modRevision } = stored;
    const { transformer, context } = this.#transformerOf(key);
    try {
      const result = transformer.transformFromStorage(value, context);
      const { data } = 'then' in result ? await result : result;
      return data === value ? stored : { key, value: data, createRevision, modRevision };
    } catch (error) {
      if (!isTransformError(error)) throw error;
      if (error.isTemporary) throw plainError(`unable to transform key ${quote(key)}: ${error.message}`);
      return { key, value, createRevision, modRevision, transformError: error.message };
    }
  }

  #committed(change: Change): Change {
    const { type, key, revision, previous } = change;
    const opened = previous && new OpenedValue(previous, (value) => this.#tryOpen(key, value));
    if (type === 'delete') return { ...change, current: opened ?? change.current, previous: opened };
    const { value, createRevision, modRevision } = change.current;
    const written = this.#writing.get(value);
    const current = written === undefined ? change.current : new StoredValue(key, written, createRevision, modRevision);
    return { type, key, revision, current, previous: opened };
  }

  /** The value before it was transformed, if it can be had at once. Otherwise the value. */
  #tryOpen(key: string, value: Uint8Array): Uint8Array {
    const { transformer, context } = this.#transformerOf(key);
    try {
      const result = transformer.transformFromStorage(value, context);
      if (!('then' in result)) return result.data;
      result.catch(() => undefined);
      return value;
    } catch {
      return value;
    }
  }
}

/** The previous state of a key. Caches know it, so its value is hardly ever read, and is transformed only then. */
class OpenedValue implements KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** In storage. */
  readonly length: number;
  readonly #stored: KeyValue;
  readonly #open: (value: Uint8Array) => Uint8Array;

  constructor(stored: KeyValue, open: (value: Uint8Array) => Uint8Array) {
    this.key = stored.key;
    this.createRevision = stored.createRevision;
    this.modRevision = stored.modRevision;
    this.length = stored.value.length;
    this.#stored = stored;
    this.#open = open;
  }

  get value(): Uint8Array {
    return this.#open(this.#stored.value);
  }
}

function toStorage(transformer: Transformer, value: Uint8Array, context: ValueContext): Uint8Array {
  try {
    return transformer.transformToStorage(value, context);
  } catch (error) {
    throw isTransformError(error) ? plainError(error.message) : error;
  }
}

function copied(item: KeyValue, allocate: (size: number) => Uint8Array): KeyValue {
  const { key, createRevision, modRevision, transformError } = item;
  const value = allocate(item.value.length);
  value.set(item.value);
  return { key, value, createRevision, modRevision, transformError };
}
