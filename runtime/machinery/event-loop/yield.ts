import { setImmediate as nextImmediate } from 'node:timers/promises';

/* Lets other work run during long work. No other module of the runtime calls setImmediate. */

/**
 * Resolves in the next turn of the event loop, after the I/O that is ready. Loops over many objects await it after every
 * batch. All callers continue in the same turn; see TimeSlice for work that clients can start many times at once.
 */
export function yieldToEventLoop(): Promise<void> {
  return nextImmediate();
}

/**
 * Calls `work` in the next turn of the event loop.
 *
 * @returns cancels the call
 */
export function runNextTurn(work: () => void): () => void {
  const immediate = setImmediate(work);
  return () => clearImmediate(immediate);
}

let atEnd: (() => void)[] = [];

/** Calls `work` at the end of this turn: after all requests that arrived together, in the order of the calls. */
export function runAtEndOfTurn(work: () => void): void {
  if (atEnd.push(work) === 1) setImmediate(runAllAtEnd);
}

function runAllAtEnd(): void {
  const works = atEnd;
  atEnd = [];
  for (const work of works) work();
}

/**
 * Returns a function that collects its arguments. At the end of the turn, `handle` is called with each of them, in
 * order.
 */
export function batchAtEndOfTurn<T>(handle: (argument: T) => void): (argument: T) => void {
  let collected: T[] = [];
  const handleAll = (): void => {
    const batch = collected;
    collected = [];
    for (const argument of batch) handle(argument);
  };
  return (argument) => {
    if (collected.push(argument) === 1) runAtEndOfTurn(handleAll);
  };
}

/** Milliseconds for which one request may hold the event loop. */
const sliceMs = 3;
/** The number of callers that want no division of work by time, which differs between runs. */
let undivided = 0;

/**
 * Stops the division of work by time in this process until the returned function is called, once. For tests that need
 * the same order in each run.
 */
export function withoutSlices(): () => void {
  undivided++;
  return () => void undivided--;
}

/** Returns the end of a slice that begins now, by performance.now(). @param ms the length of the slice */
export const endOfSlice = (ms: number): number => (undivided > 0 ? Number.POSITIVE_INFINITY : performance.now() + ms);

/** The end of the slice that all requests of this turn share; 0 before the first request. */
let sharedEnd = 0;

function endOfSharedSlice(): number {
  if (sharedEnd === 0) {
    sharedEnd = endOfSlice(sliceMs);
    setImmediate(() => {
      sharedEnd = 0;
    });
  }
  return sharedEnd;
}

/** Tells long work when to let other work run. All slices that begin in one turn of the event loop end together. */
export class TimeSlice {
  #end = endOfSharedSlice();

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for this request's turn, then begins a slice of its own. */
  async next(): Promise<void> {
    await waitForTurn();
    this.#end = endOfSlice(sliceMs);
  }
}

/** The number of items between two checks of the time. Shorter loops run to their end. */
const itemsAtOnce = 128;

/**
 * A TimeSlice for loops over items that take some microseconds each. Loops with few items never wait, even late in a
 * turn.
 */
export class LoopSlice {
  readonly #slice = new TimeSlice();
  #items = 0;

  /** Called before each item. */
  isOver(): boolean {
    return ++this.#items % itemsAtOnce === 0 && this.#slice.isOver;
  }

  next(): Promise<void> {
    return this.#slice.next();
  }
}

const waiting: (() => void)[] = [];

/**
 * Resolves when it is the caller's turn. One caller continues in each turn of the event loop, first come, first served,
 * so a small request waits for one slice, not for one slice of every long list.
 */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(releaseOne);
  });
}

function releaseOne(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(releaseOne);
  next?.();
}
