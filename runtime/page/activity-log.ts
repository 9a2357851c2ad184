import type { ApiContext, ApiMiddleware } from '../http/context.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Engine } from '../storage/kv/engine.ts';
import type { Activity, EventActivity } from './activity.ts';
import { LoggedChange } from './logged-change.ts';
import { LoggedRequest } from './logged-request.ts';
import { Ring } from './ring.ts';

const maxRequests = 20_000;
const maxEvents = 20_000;
const maxChanges = 10_000;
/** The most bytes of stored objects that wait for a page to ask for them. */
const maxValueBytes = 16 * 1024 * 1024;

interface LoggedEvent extends EventActivity {
  readonly changed: number;
}

/** What happened lately on a server: its requests, the events of watches, and the changes of objects. */
export class ActivityLog {
  readonly #clock: Clock;
  readonly #requests = new Ring<LoggedRequest>(maxRequests);
  readonly #running = new Set<LoggedRequest>();
  readonly #events = new Ring<LoggedEvent>(maxEvents);
  readonly #changes = new Ring<LoggedChange>(maxChanges);
  /** Changes whose objects no page has asked for yet, oldest first. */
  #unread: LoggedChange[] = [];
  #unreadBytes = 0;
  #sequence = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Follows the changes of a store. */
  follow(engine: Engine): void {
    engine.listen({
      onCommit: (changes) => {
        const time = this.#clock.now();
        for (const change of changes) this.#addChange(new LoggedChange(++this.#sequence, time, change));
      },
      onLost: () => undefined,
    });
  }

  /** Records a request, and the events of its watch. It runs after authentication. */
  record(ctx: ApiContext): void {
    const request = new LoggedRequest(++this.#sequence, ctx, this.#onCompleted);
    this.#requests.add(request);
    this.#running.add(request);
    const { state } = ctx;
    state.onCompletion(request);
    const others = state.onWatchEvent;
    state.onWatchEvent = (type, revision, object) => {
      others?.(type, revision, object);
      if (type === 'BOOKMARK') return;
      const changed = ++this.#sequence;
      this.#events.add({ changed, time: this.#clock.now(), request: request.id, type, revision });
    };
  }

  /** Returns what is new after a sequence. Requests that run are new each time. */
  since(sequence: number): Activity {
    const changes = [...this.#changes].filter(({ changed }) => changed > sequence).map((change) => change.facts());
    this.#unread = [];
    this.#unreadBytes = 0;
    const requests = [...this.#requests].filter((request) => request.changed > sequence || this.#running.has(request));
    const events = [...this.#events].filter(({ changed }) => changed > sequence);
    return {
      sequence: this.#sequence,
      now: this.#clock.now(),
      requests: requests.map((request) => request.facts()),
      events: events.map(({ time, request, type, revision }) => ({ time, request, type, revision })),
      changes,
    };
  }

  readonly #onCompleted = (request: LoggedRequest): void => {
    this.#running.delete(request);
    request.end(this.#clock.now(), ++this.#sequence);
  };

  #addChange(change: LoggedChange): void {
    this.#changes.add(change);
    this.#unread.push(change);
    this.#unreadBytes += change.size;
    if (this.#unreadBytes <= maxValueBytes) return;
    // half of them at once, so that not every change moves the list
    for (const old of this.#unread.splice(0, Math.ceil(this.#unread.length / 2))) {
      this.#unreadBytes -= old.size;
      old.forget();
    }
  }
}

/** Runs a filter of the server's own before another. */
export function recordedBy(log: ActivityLog, isLogged: (ctx: ApiContext) => boolean, before: ApiMiddleware | undefined): ApiMiddleware {
  const record: ApiMiddleware = (ctx, next) => {
    if (isLogged(ctx)) log.record(ctx);
    return next();
  };
  return before === undefined ? record : (ctx, next) => before(ctx, () => record(ctx, next));
}
