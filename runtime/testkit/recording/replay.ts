import type { ApiMiddleware } from '../../http/context.ts';
import { runFinally } from '../../http/run-finally.ts';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { ReplaySpec } from '../../options/replay-spec.ts';
import type { Engine } from '../../storage/kv/engine.ts';
import { createMemoryEngine, type MemoryEngine } from '../../storage/memory/memory-engine.ts';
import type { ObjectStore } from '../../storage/object-store/contract.ts';
import type { RecordedChange, RecordedObject } from './format.ts';
import { type RecordingSummary, readRecording, summarizeRecording } from './read-recording.ts';
import { ReplayedEngine } from './replayed-engine.ts';

/** The replay of a RunningServer. */
export interface RunningReplay {
  /** Continues after `paused`. */
  play(): void;
  /** Resolves at the end of the recording. From then on, the server behaves like any other. */
  readonly finished: Promise<void>;
}

export interface ReplayParts {
  readonly clock: Clock;
  readonly logger: Logger;
}

const play = (replay: Replay): void => replay.play();

type StoredEntry = RecordedObject | RecordedChange;

/** The number of changes per commit before the initial state. */
const batchSize = 1000;
/** The number of changes per turn of the event loop at the highest speed. */
const turnSize = 64;

/** Feeds the store of a server from the recording of another one. */
export class Replay implements RunningReplay {
  /** The engine for the server, with the root of all keys. */
  readonly engine: Engine;
  readonly root: string;
  /** The recorded release: `v1.35`. */
  readonly kubernetes: string;
  readonly finished: Promise<void>;
  readonly #memory: MemoryEngine;
  readonly #replayed: ReplayedEngine;
  readonly #spec: ReplaySpec;
  readonly #summary: RecordingSummary;
  readonly #parts: ReplayParts;
  readonly #changes: AsyncGenerator<StoredEntry, void, undefined>;
  /** The first change after the initial state. */
  #next: RecordedChange | undefined;
  #setFinished: () => void = () => undefined;
  #setPlaying: () => void = () => undefined;
  readonly #playing = new Promise<void>((resolve) => {
    this.#setPlaying = resolve;
  });
  #cancelWait: () => void = () => undefined;
  #isClosed = false;

  private constructor(spec: ReplaySpec, summary: RecordingSummary, parts: ReplayParts) {
    this.#spec = spec;
    this.#summary = summary;
    this.#parts = parts;
    this.#memory = createMemoryEngine(parts.clock);
    this.#replayed = new ReplayedEngine(this.#memory);
    this.engine = this.#replayed;
    this.root = summary.header.root;
    this.kubernetes = summary.header.kubernetes;
    this.#changes = storedEntries(spec.file);
    this.finished = new Promise((resolve) => {
      this.#setFinished = resolve;
    });
    if (!spec.paused) this.#setPlaying();
  }

  /** Reads and verifies the recording. @throws Error if it is damaged, or lacks the revision or time */
  static async open(spec: ReplaySpec, parts: ReplayParts): Promise<Replay> {
    const summary = await summarizeRecording(spec.file);
    checkPlace(spec, summary);
    return new Replay(spec, summary, parts);
  }

  /**
   * Detects the first list or watch of a client. It runs after authentication. The list begins before the replay, so
   * that it has the first state, and a watch from it sees all changes.
   */
  readonly filter: ApiMiddleware = (ctx, next) => {
    const { verb, isResourceRequest } = ctx.state.requestInfo;
    if (isResourceRequest && verb === 'list') return runFinally(next, play, this);
    const running = next();
    if (isResourceRequest && verb === 'watch') this.play();
    return running;
  };

  play(): void {
    this.#setPlaying();
  }

  /** Brings the store to the initial state. Call it when the store listens, before any read. */
  async fill(store: Pick<ObjectStore, 'compact'>): Promise<void> {
    let batch: StoredEntry[] = [];
    let isHistory = false;
    for (let entry = await this.#following(); entry !== undefined; entry = await this.#following()) {
      if (entry.type === 'change' && !this.#isBefore(entry)) {
        this.#next = entry;
        break;
      }
      if (entry.type === 'change' && !isHistory) {
        await this.#begin(batch, store);
        batch = [];
        isHistory = true;
      }
      batch.push(entry);
      // commit all changes of a revision together
      if (batch.length >= batchSize && entry.revision > elementAt(batch, batch.length - 2).revision) {
        await this.#commit(batch.slice(0, -1));
        batch = [entry];
      }
    }
    if (!isHistory) await this.#begin(batch, store);
    else await this.#commit(batch);
  }

  /** Starts the replay when the server is ready. */
  start(): void {
    if (this.#spec.speed !== undefined) {
      void this.#feed().catch((err) => this.#parts.logger.error({ err }, 'the replay ends early'));
      return;
    }
    this.#replayed.isFed = false;
    this.#setFinished();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelWait();
    this.#setPlaying();
    void this.#changes.return();
  }

  /** Writes the initial objects of the recording. */
  async #begin(objects: readonly StoredEntry[], store: Pick<ObjectStore, 'compact'>): Promise<void> {
    const { revision } = this.#summary.header;
    await this.#commit(objects, revision);
    // earlier revisions are unknown
    await store.compact(revision);
  }

  /** Reports whether a change is part of the initial state. */
  #isBefore({ revision, time }: RecordedChange): boolean {
    const { at, speed } = this.#spec;
    if (at === undefined) return speed === undefined || revision <= (this.#summary.ready ?? 0);
    return typeof at === 'number' ? revision <= at : Date.parse(time) <= Date.parse(at);
  }

  async #feed(): Promise<void> {
    await this.#playing;
    const { clock } = this.#parts;
    const started = clock.now();
    let first = this.#next?.time;
    let due: RecordedChange[] = [];
    let turn = 0;
    for (let change = this.#next; change !== undefined && !this.#isClosed; change = await this.#followingChange()) {
      const [oldest] = due;
      if (oldest !== undefined && change.revision > oldest.revision) {
        await this.#commit(due);
        due = [];
        if (++turn % turnSize === 0) await yieldToEventLoop();
      }
      first ??= change.time;
      if (due.length === 0) await this.#until(started, Date.parse(change.time) - Date.parse(first));
      due.push(change);
    }
    if (this.#isClosed) return;
    await this.#commit(due);
    this.#replayed.isFed = false;
    this.#setFinished();
  }

  async #following(): Promise<StoredEntry | undefined> {
    const { value } = await this.#changes.next();
    return value ?? undefined;
  }

  async #followingChange(): Promise<RecordedChange | undefined> {
    const entry = await this.#following();
    return entry?.type === 'change' ? entry : undefined;
  }

  /** Waits until a change is due, `ms` milliseconds after the first. */
  #until(started: number, ms: number): Promise<void> | undefined {
    const { clock } = this.#parts;
    const { speed } = this.#spec;
    const left = typeof speed === 'number' ? started + ms / speed - clock.now() : 0;
    if (left <= 0) return undefined;
    return new Promise((resolve) => {
      const cancel = clock.after(left, resolve);
      this.#cancelWait = () => {
        cancel();
        resolve();
      };
    });
  }

  async #commit(entries: readonly StoredEntry[], revision = 0): Promise<void> {
    if (entries.length === 0 && revision <= this.#memory.revision()) return;
    const changes = entries.map((entry) =>
      entry.type === 'object' ? { ...entry, type: 'put' as const } : { ...entry, type: entry.change },
    );
    await this.#memory.replay(changes, revision);
  }
}

/** Returns a generator to be read with `next`, because a loop would close it on exit. */
function storedEntries(path: string): AsyncGenerator<StoredEntry, void, undefined> {
  return (async function* () {
    for await (const entry of readRecording(path)) if (entry.type === 'object' || entry.type === 'change') yield entry;
  })();
}

function checkPlace({ file, at, speed }: ReplaySpec, { header, revision, time }: RecordingSummary): void {
  if (speed !== undefined && speed !== 'max' && !(speed > 0)) throw new Error(`the speed ${speed} is not above 0`);
  if (at === undefined) return;
  if (typeof at === 'number') {
    if (at >= header.revision && at <= revision) return;
    throw new Error(`${file} has the revisions ${header.revision} to ${revision}, but not ${at}`);
  }
  if (Number.isNaN(Date.parse(at))) throw new Error(`${JSON.stringify(at)} is neither a revision nor a time`);
  if (Date.parse(at) < Date.parse(header.time)) throw new Error(`${file} begins at ${header.time}, after ${at}`);
  if (Date.parse(at) > Date.parse(time)) throw new Error(`${file} ends at ${time}, before ${at}`);
}
