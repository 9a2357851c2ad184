import type { ApiMiddleware } from '../../http/context.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { Change, Engine, KeyValue } from '../../storage/kv/engine.ts';
import { type RecordedEntry, type RecordingHeader, recordingFormat } from './format.ts';
import { RecordedExchange } from './recorded-exchange.ts';
import { RecordingFile } from './recording-file.ts';

export interface RecorderOptions extends Pick<RecordingHeader, 'kubernetes' | 'seed'> {
  readonly path: string;
  readonly clock: Clock;
  /** The clock is manual. */
  readonly isManual: boolean;
  readonly logger: Logger;
}

/** The number of objects in one read. */
const pageSize = 500;

/** Records a server's requests, the changes of its store, and the events of its watches. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #file: RecordingFile;
  /** Entries that arrive while the initial objects are read. */
  #waiting: RecordedEntry[] | undefined = [];
  #engine: Engine | undefined;
  #requests = 0;

  /** @throws Error if the file cannot be opened */
  constructor(options: RecorderOptions) {
    const { path, logger } = options;
    this.#options = options;
    this.#file = new RecordingFile(path, (error) => logger.error({ err: error, path }, 'the recording ends'));
  }

  /**
   * Records the engine. It must be the engine's first listener, so that consequences of a change are recorded after it.
   *
   * @param engine an engine with the values of objects
   * @param root the prefix of all keys of objects
   * @returns a promise that resolves when the initial objects are read
   */
  async follow(engine: Engine, root: string): Promise<void> {
    const revision = engine.revision();
    this.#engine = engine;
    engine.listen({
      onCommit: (changes) => this.#onCommit(changes),
      onLost: () => this.#add({ type: 'lost', time: this.#now(), revision: engine.revision() }),
    });
    const { kubernetes, seed, isManual } = this.#options;
    const header = {
      type: 'recording',
      format: recordingFormat,
      kubernetes,
      root,
      revision,
      time: this.#now(),
    } as const;
    const objects = await readObjects(engine, root, revision);
    this.#file.add({ ...header, clock: isManual ? 'manual' : 'system', seed });
    for (const { key, value, modRevision, createRevision } of objects) {
      this.#file.add({ type: 'object', revision: modRevision, createRevision, key, value });
    }
    for (const entry of this.#waiting ?? []) this.#file.add(entry);
    this.#waiting = undefined;
  }

  /** Records each request. It runs after authentication. */
  readonly filter: ApiMiddleware = (ctx, next) => {
    this.#requests += 1;
    new RecordedExchange(ctx, { id: this.#requests, now: this.#now, add: this.#add });
    return next();
  };

  /** Records that the server is ready. */
  ready(): void {
    if (this.#engine !== undefined) this.#add({ type: 'ready', time: this.#now(), revision: this.#engine.revision() });
  }

  close(): void {
    if (this.#engine !== undefined) this.#add({ type: 'end', time: this.#now(), revision: this.#engine.revision() });
    this.#file.close();
  }

  readonly #now = (): string => new Date(this.#options.clock.now()).toISOString();

  readonly #add = (entry: RecordedEntry): void => {
    if (this.#waiting === undefined) this.#file.add(entry);
    else this.#waiting.push(entry);
  };

  #onCommit(changes: readonly Change[]): void {
    const time = this.#now();
    for (const { type, revision, key, current } of changes) {
      const value = type === 'put' ? current.value : new Uint8Array(0);
      this.#add({ type: 'change', time, change: type, revision, key, value });
    }
  }
}

/** Returns the objects of a store, oldest change first. */
async function readObjects(engine: Engine, root: string, revision: number): Promise<readonly KeyValue[]> {
  const objects: KeyValue[] = [];
  const end = `${root}0`;
  for (let start = `${root}/`; ; ) {
    const { items, more } = await engine.range(start, end, { revision, limit: pageSize });
    objects.push(...items);
    const last = items.at(-1);
    if (!more || last === undefined) return objects.sort((a, b) => a.modRevision - b.modRevision);
    start = `${last.key}\0`;
  }
}
