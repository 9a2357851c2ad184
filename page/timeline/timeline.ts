import type { Activity, ChangeActivity, EventActivity, RequestActivity } from '../../runtime/page/activity.ts';

/** One write of one object, with the request that made it if there was one. */
export interface Write {
  readonly change: ChangeActivity;
  readonly request: RequestActivity | undefined;
  /** The program: of the request, or the controller of the server that the object names. */
  readonly client: string;
}

/** Something at one moment in the lane of a client. */
export type Moment =
  | { readonly what: 'request'; readonly time: number; readonly client: string; readonly request: RequestActivity }
  | { readonly what: 'write'; readonly time: number; readonly client: string; readonly write: Write }
  | {
      readonly what: 'event';
      readonly time: number;
      readonly client: string;
      readonly event: EventActivity;
      readonly watch: RequestActivity;
    };

/** An object over which two clients fight, or that one client writes again and again. */
export interface Struggle {
  readonly object: string;
  readonly clients: readonly string[];
  readonly writes: readonly Write[];
}

/** The most moments of each kind that the page keeps, as the server does. */
const maxKept = 20_000;
/** A struggle has this many writes, each within `pause` milliseconds of the one before. */
const fewestTurns = 4;
const fewestRepeats = 10;
const pause = 30_000;

/** Returns the first word of a user agent, without its version: `kubectl`, `my-operator`. */
export const clientOf = (agent: string): string => agent.split(/[/ ]/, 1)[0] || 'unknown';

export const objectOf = ({ kind, namespace, name }: ChangeActivity): string => `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;

/** All that the page knows of what happened. */
export class Timeline {
  readonly #requests = new Map<number, RequestActivity>();
  #events: EventActivity[] = [];
  #changes: ChangeActivity[] = [];
  sequence = 0;
  now = 0;

  /** Adds what is new. Returns whether there was anything. */
  add({ sequence, now, requests, events, changes }: Activity): boolean {
    const isNew = sequence !== this.sequence;
    this.sequence = sequence;
    this.now = now;
    for (const request of requests) this.#requests.set(request.id, request);
    for (const id of this.#requests.keys()) {
      if (this.#requests.size <= maxKept) break;
      this.#requests.delete(id);
    }
    this.#events = [...this.#events, ...events].slice(-maxKept);
    this.#changes = [...this.#changes, ...changes].slice(-maxKept);
    return isNew;
  }

  clear(): void {
    this.#requests.clear();
    this.#events = [];
    this.#changes = [];
  }

  /** Returns the requests, oldest first. */
  requests(): readonly RequestActivity[] {
    return [...this.#requests.values()];
  }

  writes(): readonly Write[] {
    const byRevision = new Map<number, RequestActivity>();
    for (const request of this.#requests.values()) if (request.revision !== undefined) byRevision.set(request.revision, request);
    return this.#changes.map((change) => {
      const request = byRevision.get(change.revision);
      return { change, request, client: request === undefined ? change.manager || 'server' : clientOf(request.agent) };
    });
  }

  /** Returns all moments in their order. Requests that wrote are writes. */
  moments(writes: readonly Write[]): readonly Moment[] {
    const written = new Set(writes.map(({ request }) => request?.id));
    const requests = [...this.#requests.values()].filter(({ id }) => !written.has(id));
    const all: Moment[] = [
      ...requests.map((request): Moment => ({ what: 'request', time: request.time, client: clientOf(request.agent), request })),
      ...writes.map((write): Moment => ({ what: 'write', time: write.change.time, client: write.client, write })),
      ...this.#events.flatMap((event): Moment[] => {
        const watch = this.#requests.get(event.request);
        return watch === undefined ? [] : [{ what: 'event', time: event.time, client: clientOf(watch.agent), event, watch }];
      }),
    ];
    return all.sort((a, b) => a.time - b.time || orderOf(a) - orderOf(b));
  }

  /** Returns who received a change, and what they wrote afterwards until the object changed again. */
  reactions({ change, client }: Write, writes: readonly Write[]): readonly Reaction[] {
    const received = this.#events.filter(({ revision }) => revision === change.revision);
    const clients = new Map<string, EventActivity>();
    for (const event of received) {
      const watch = this.#requests.get(event.request);
      if (watch !== undefined && !clients.has(clientOf(watch.agent))) clients.set(clientOf(watch.agent), event);
    }
    return [...clients].map(([name, event]) => ({
      client: name,
      delay: event.time - change.time,
      writes: writes
        .filter((write) => write.client === name && write.client !== client && write.change.revision > change.revision)
        .filter((write) => write.change.time - event.time < pause)
        .slice(0, 2),
    }));
  }
}

export interface Reaction {
  readonly client: string;
  /** Milliseconds from the change to its event. */
  readonly delay: number;
  readonly writes: readonly Write[];
}

const orders = { request: 1, write: 2, event: 3 } as const;
const orderOf = ({ what }: Moment): number => orders[what];

/** Finds the objects that two clients write in turn, or one client again and again. */
export function strugglesIn(writes: readonly Write[]): readonly Struggle[] {
  const byObject = new Map<string, Write[]>();
  for (const write of writes) {
    const { kind } = write.change;
    if (kind === '' || kind === 'Lease' || kind === 'Event') continue;
    const name = objectOf(write.change);
    const known = byObject.get(name);
    if (known === undefined) byObject.set(name, [write]);
    else known.push(write);
  }
  return [...byObject].flatMap(([object, all]) => runsOf(all).flatMap((run) => struggleIn(object, run)));
}

/** Cuts writes where nothing happened for a while. */
function runsOf(writes: readonly Write[]): readonly (readonly Write[])[] {
  const runs: Write[][] = [];
  for (const write of writes) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || write.change.time - last.change.time > pause) runs.push([write]);
    else run.push(write);
  }
  return runs;
}

function struggleIn(object: string, writes: readonly Write[]): readonly Struggle[] {
  const turns = writes.filter((write, at) => at > 0 && write.client !== writes[at - 1]?.client);
  const first = turns.find((write, at) => isBack(write, turns, at));
  if (first !== undefined && turns.length >= fewestTurns - 1) {
    const clients = [...new Set(writes.slice(1).map(({ client }) => client))].slice(0, 3);
    return [{ object, clients, writes }];
  }
  const [most] = Object.entries(Object.groupBy(writes, ({ client }) => client)).sort(([, a = []], [, b = []]) => b.length - a.length);
  return most !== undefined && (most[1]?.length ?? 0) >= fewestRepeats ? [{ object, clients: [most[0]], writes: most[1] ?? [] }] : [];
}

/** Reports whether a client is on turn again two turns later. */
const isBack = ({ client }: Write, turns: readonly Write[], at: number): boolean => turns[at + 2]?.client === client;
