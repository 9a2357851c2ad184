import { describe, expect, test } from '@jest/globals';
import type { QueuedRequest } from '../../../runtime/flowcontrol/fair-queuing/queue.ts';
import { Random } from '../../support/random.ts';
import { QueueSetFixture } from './queue-set-fixture.ts';
import { SlowQueueSet, type SlowRequest } from './slow-queue-set.ts';

const traces = 3_000;
const stepsPerTrace = 60;

/** One of the two implementations. */
interface Pair {
  readonly fast: QueuedRequest;
  readonly slow: SlowRequest;
}

function shuffledHand(random: Random, queues: number, size: number): number[] {
  const deck = Array.from({ length: queues }, (_, at) => at);
  return Array.from({ length: size }, () => deck.splice(random.between(0, deck.length - 1), 1)[0]);
}

describe('fair queuing agrees with a slow, simple simulation', () => {
  test(`${traces} traces of arrivals, ends, cancellations and changed limits`, () => {
    for (let seed = 1; seed <= traces; seed++) runTrace(seed);
  });
});

function runTrace(seed: number): void {
  const random = new Random(seed);
  const queues = random.between(1, 8);
  const handSize = random.between(1, Math.min(4, queues));
  const config = { queues, queueLengthLimit: random.between(1, 5), limit: random.between(1, 6) };
  const fixture = new QueueSetFixture(config);
  const slow = new SlowQueueSet({ ...config });
  const flows = Array.from({ length: random.between(1, 5) }, () => fixture.flow(shuffledHand(random, queues, handSize)));
  const pairs: Pair[] = [];
  const order: QueuedRequest[] = [];
  const inPhase = (phase: string): Pair[] => pairs.filter(({ fast }) => fast.phase === phase);
  for (let step = 0; step < stepsPerTrace; step++) {
    const what = random.next();
    if (what < 0.45) {
      const flow = random.pick(flows);
      const lingers = random.chance(0.15) ? random.between(1, 8) : 0;
      const finalSeats = lingers > 0 ? random.between(1, config.limit) : 0;
      const initialSeats = random.chance(0.3) ? random.between(1, 4) : 1;
      const fast = fixture.start(flow, { initialSeats, finalSeats, additionalLatency: lingers });
      fast.onDispatch = () => order.push(fast);
      pairs.push({ fast, slow: slow.arrive(flow.hand, { initialSeats, finalSeats, lingers }) });
    } else if (what < 0.7) {
      const ms = random.between(0, 6);
      fixture.clock.advance(ms);
      slow.advance(ms);
    } else if (what < 0.9) {
      const executing = inPhase('executing');
      if (executing.length > 0) {
        const pair = random.pick(executing);
        fixture.set.finish(pair.fast);
        slow.finish(pair.slow);
      }
    } else if (what < 0.97) {
      const waiting = inPhase('waiting');
      if (waiting.length > 0) {
        const pair = random.pick(waiting);
        fixture.set.cancel(pair.fast, 'cancelled');
        slow.cancel(pair.slow);
      }
    } else {
      config.limit = random.between(1, 6);
      fixture.configure({ limit: config.limit });
      slow.setLimit(config.limit);
    }
    check(seed, step, pairs, fixture, slow);
  }
  expectOrderWithinQueues(order);
}

function check(seed: number, step: number, pairs: readonly Pair[], fixture: QueueSetFixture, slow: SlowQueueSet): void {
  const fastPhases = pairs.map(({ fast }) => fast.phase).join(' ');
  const slowPhases = pairs.map((pair) => pair.slow.phase).join(' ');
  if (fastPhases !== slowPhases) {
    throw new Error(`seed ${seed}, step ${step}\n  fast: ${fastPhases}\n  slow: ${slowPhases}`);
  }
  if (fixture.set.seatsInUse !== slow.seatsInUse()) throw new Error(`seed ${seed}, step ${step}: seats differ`);
}

/** Checks that requests of one queue are dispatched oldest first. */
function expectOrderWithinQueues(order: readonly QueuedRequest[]): void {
  const last = new Map<unknown, number>();
  for (const { queue, arrivalTime } of order) {
    if (arrivalTime < (last.get(queue) ?? 0)) throw new Error('the younger overtook the older');
    last.set(queue, arrivalTime);
  }
}

interface Served {
  readonly flow: number;
  readonly from: number;
  readonly to: number;
}

/** Serves flows in separate queues, each with `depth` pending requests at all times, until `total` have finished. */
function serveBacklog(options: {
  readonly random: Random;
  readonly flows: number;
  readonly limit: number;
  readonly total: number;
  readonly isStatic: (random: Random) => number;
}): Served[] {
  const { random, flows, limit, total, isStatic } = options;
  const depth = limit + 2;
  const fixture = new QueueSetFixture({ queues: flows, queueLengthLimit: depth, limit });
  const all = Array.from({ length: flows }, (_, at) => fixture.flow([at]));
  const served: Served[] = [];
  const running = new Map<QueuedRequest, { flow: number; until: number }>();
  const add = (flow: number): void => {
    const request = fixture.start(all[flow]);
    const begin = (): void => {
      running.set(request, { flow, until: fixture.clock.now() + isStatic(random) });
    };
    if (request.phase === 'executing') begin();
    else request.onDispatch = begin;
  };
  for (let round = 0; round < depth; round++) for (let flow = 0; flow < flows; flow++) add(flow);
  while (served.length < total) {
    // work-conserving, with never more seats than allowed
    if (running.size !== limit || fixture.set.seatsInUse !== limit) throw new Error('seats stay empty, or are too many');
    const [request, { flow, until }] = [...running].sort(([, a], [, b]) => a.until - b.until)[0];
    fixture.clock.advance(until - fixture.clock.now());
    running.delete(request);
    served.push({ flow, from: request.startTime, to: fixture.clock.now() });
    fixture.set.finish(request);
    add(flow);
  }
  return served;
}

interface Shortfall {
  /** The worst flow's shortfall in its worst window, in requests. */
  readonly requests: number;
  /** The shortfall in milliseconds of seats. */
  readonly time: number;
  /** The shortfall only over windows that begin with the first request. */
  readonly timeFromStart: number;
}

/** Returns the worst flow's distance from its fair share, over all windows that start and end with whole turns. */
function worstShortfall(served: readonly Served[], flows: number, turn: number): Shortfall {
  const starts = [...served].sort((a, b) => a.from - b.from);
  let [requests, time, timeFromStart] = [0, 0, 0];
  for (let from = 0; from < starts.length; from += turn) {
    const counts = new Float64Array(flows);
    const times = new Float64Array(flows);
    let total = 0;
    for (let to = from; to < starts.length; to++) {
      const { flow, from: began, to: ended } = starts[to];
      counts[flow]++;
      times[flow] += ended - began;
      total += ended - began;
      if ((to - from + 1) % turn !== 0) continue;
      requests = Math.max(requests, (to - from + 1) / flows - Math.min(...counts));
      time = Math.max(time, total / flows - Math.min(...times));
      if (from === 0) timeFromStart = Math.max(timeFromStart, total / flows - Math.min(...times));
    }
  }
  return { requests, time, timeFromStart };
}

describe('flows with a permanent backlog', () => {
  const seeds = Array.from({ length: 100 }, (_, at) => at + 1);

  test('get their fair share less one request in any window, on any number of seats', () => {
    for (const seed of seeds) {
      const random = new Random(seed);
      const flows = random.between(2, 6);
      const limit = random.between(1, 4);
      const served = serveBacklog({ random, flows, limit, total: 12 * flows, isStatic: () => 3 });
      expect({ seed, less: worstShortfall(served, flows, limit).requests >= 1 }).toEqual({ seed, less: false });
    }
  });

  test('also if requests do not last as long as estimated', () => {
    for (const seed of seeds) {
      const random = new Random(seed);
      const flows = random.between(2, 6);
      const length = random.between(1, 30);
      const served = serveBacklog({ random, flows, limit: 1, total: 12 * flows, isStatic: () => length });
      expect({ seed, less: worstShortfall(served, flows, 1).requests >= 1 }).toEqual({ seed, less: false });
    }
  });

  test('also if no two last equally long: less the longest from the start, less it at both ends of other windows', () => {
    const longest = 20;
    for (const seed of seeds) {
      const random = new Random(seed);
      const flows = random.between(2, 6);
      const served = serveBacklog({
        random,
        flows,
        limit: 1,
        total: 60,
        isStatic: (source) => source.between(1, longest),
      });
      const { time, timeFromStart } = worstShortfall(served, flows, 1);
      expect({ seed, late: timeFromStart > longest, behind: time > (2 * longest * (flows - 1)) / flows }).toEqual({
        seed,
        late: false,
        behind: false,
      });
    }
  });

  test('on several seats, less what executes on the others', () => {
    const longest = 20;
    for (const seed of seeds) {
      const random = new Random(seed);
      const flows = random.between(2, 6);
      const limit = random.between(2, 4);
      const served = serveBacklog({
        random,
        flows,
        limit,
        total: 60,
        isStatic: (source) => source.between(1, longest),
      });
      const { time } = worstShortfall(served, flows, 1);
      expect({ seed, behind: time > (limit + 1) * longest }).toEqual({ seed, behind: false });
    }
  });
});
