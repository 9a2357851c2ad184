import { setImmediate as nextImmediate } from 'node:timers/promises';

/*
 * When long work lets other work run. Nothing else in the runtime calls setImmediate.
 */

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

/** A function that collects its arguments and calls `handle` with each of them, in order, at the end of the turn. */
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

/** How long one request may hold the event loop, in milliseconds. */
const sliceMs = 3;
/** How many callers want that work is not divided by time, which differs between runs. */
let undivided = 0;

/**
 * No work of this process lets others run before it is done, until the returned function is called, once. For tests that want the same
 * order in each run.
 */
export function withoutSlices(): () => void {
  undivided++;
  return () => void undivided--;
}

/** When a slice ends that begins now, as performance.now() counts. @param ms its length */
export const endOfSlice = (ms: number): number => (undivided > 0 ? Number.POSITIVE_INFINITY : performance.now() + ms);

/** When the slice ends that all requests of this turn share; 0 before the first asks. */
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

/** Tells long work when to let others run. All slices that begin in one turn of the event loop end together. */
export class TimeSlice {
  #end = endOfSharedSlice();

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for this request's turn and begins a slice that it does not share. */
  async next(): Promise<void> {
    await waitForTurn();
    this.#end = endOfSlice(sliceMs);
  }
}

/** How many items of a loop are worked on before others may run: short loops run to their end. */
const itemsAtOnce = 128;

/** The same for loops over items that take some microseconds each. Few items never wait, however long the turn has been. */
export class LoopSlice {
  readonly #slice = new TimeSlice();
  #items = 0;

  /** Asked before each item. */
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
