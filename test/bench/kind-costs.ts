import { type KindRow, requestsOf, watchedPod } from './kind-rows.ts';
import { processorTime } from './processor.ts';
import { type Credentials, RawConnection } from './raw-client.ts';
import type { Target } from './target.ts';

export const watcherCount = 500;
export const changeCount = 200;
const openedAtOnce = 64;
/** The path of a bare server's response. */
const barePath = '/row';

/** A server of any sort, with the processes whose time counts. */
export interface Subject {
  readonly credentials: Credentials;
  readonly pids: readonly number[];
  /** True for the bare server, which sends prepared bytes. */
  readonly isBare?: boolean;
}

/** Milliseconds of one request. */
export interface Cost {
  readonly processor: number;
  readonly wall: number;
}

/** The bodies of responses, by row, for a bare server. */
export type Bodies = Map<string, Buffer>;

export const subjectOf = ({ credentials, pid }: Target, isBare = false): Subject => ({ credentials, pids: [pid], isBare });

async function costOf(subject: Subject, count: number, run: () => Promise<unknown>): Promise<Cost> {
  const ran = (): number => subject.pids.reduce((sum, pid) => sum + processorTime(pid).ran, 0);
  const before = ran();
  const started = performance.now();
  await run();
  return { wall: (performance.now() - started) / count, processor: (ran() - before) / count };
}

/** Measures a row. Keeps the body of the last response, or gives the bare server that body first. */
export async function measureRow(subject: Subject, row: KindRow, bodies: Bodies): Promise<Cost> {
  const connections = await openAll(subject.credentials, row.atOnce);
  const [first] = connections;
  if (subject.isBare) await load(first, bodies.get(row.name) ?? Buffer.alloc(0));
  const requests = requestsOf(row, subject.isBare ? barePath : undefined).reverse();
  const last = requests.shift();
  const each = async (connection: RawConnection): Promise<void> => {
    for (let request = requests.pop(); request !== undefined; request = requests.pop())
      requireSuccess(row.name, await connection.send(request));
  };
  try {
    return await costOf(subject, row.count, async () => {
      await Promise.all(connections.map(each));
      if (last === undefined) return;
      const response = await first.send(last, true);
      requireSuccess(row.name, response);
      bodies.set(row.name, response.body ?? Buffer.alloc(0));
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

function requireSuccess(what: string, { status, body }: { status: number; body?: Buffer }): void {
  if (status >= 300) throw new Error(`${what}: responded with ${status} ${body ?? ''}`);
}

async function openAll(credentials: Credentials, count: number): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  while (opened.length < count) {
    const some = Math.min(openedAtOnce, count - opened.length);
    opened.push(...(await Promise.all(Array.from({ length: some }, () => RawConnection.open(credentials)))));
  }
  return opened;
}

const load = (connection: RawConnection, body: Buffer): Promise<unknown> =>
  connection.send(RawConnection.request('PUT', `/load?path=${encodeURIComponent(barePath)}`, body));

/** Measures the opening of watches of one pod, for each watch, and changes of the pod that all watches see, for each change. */
export async function measureWatches(subject: Subject, bodies: Bodies): Promise<{ readonly open: Cost; readonly change: Cost }> {
  const [writer, ...watchers] = await openAll(subject.credentials, watcherCount + 1);
  const revision = subject.isBare ? '' : await createWatched(writer, bodies);
  const watch = subject.isBare ? RawConnection.request('GET', '/watch') : watchedPod.watchAfter(revision);
  const changeTo = subject.isBare ? emission(bodies) : watchedPod.change;
  const marker = Buffer.from('"step":"last"');
  let [openCount, seenCount] = [0, 0];
  let done = (): void => {};
  const all = (): Promise<void> => new Promise((resolve) => (done = resolve));
  try {
    const open = await costOf(subject, watcherCount, () => {
      const opened = all();
      for (const watcher of watchers) follow(watcher);
      return opened;
    });
    const change = await costOf(subject, changeCount, async () => {
      const seen = all();
      for (let step = 1; step < changeCount; step++) requireSuccess('a change', await writer.send(changeTo(String(step))));
      requireSuccess('a change', await writer.send(changeTo('last')));
      await seen;
    });
    if (!subject.isBare) await writer.send(watchedPod.remove);
    return { open, change };
  } finally {
    for (const connection of [writer, ...watchers]) connection.close();
  }

  function follow(watcher: RawConnection): void {
    let isOpen = false;
    let tail = Buffer.alloc(0);
    watcher.stream(watch, (chunk) => {
      if (!isOpen) {
        isOpen = true;
        if (++openCount === watcherCount) done();
      }
      const joined = Buffer.concat([tail, chunk]);
      if (joined.includes(marker) && ++seenCount === watcherCount) done();
      tail = joined.subarray(-marker.length + 1);
    });
  }
}

/** Returns the revision of a new pod. */
async function createWatched(connection: RawConnection, bodies: Bodies): Promise<string> {
  const response = await connection.send(watchedPod.create, true);
  requireSuccess('the watched pod', response);
  bodies.set('watched', response.body ?? Buffer.alloc(0));
  return JSON.parse(String(response.body)).metadata.resourceVersion;
}

function emission(bodies: Bodies): (step: string) => Buffer {
  const object = JSON.parse(String(bodies.get('watched')));
  return (step) => {
    const metadata = { ...object.metadata, annotations: { step } };
    return RawConnection.request('POST', '/emit', `${JSON.stringify({ type: 'MODIFIED', object: { ...object, metadata } })}\n`);
  };
}
