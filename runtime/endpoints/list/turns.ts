/** How long one request may hold the event loop, in milliseconds. */
const sliceMs = 3;

const waiting: (() => void)[] = [];

/**
 * Resolves when it is the caller's turn: one request goes on in each turn of the event loop, first come, first served,
 * so that others' small requests wait for one slice and not for one of every long list.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(release);
  next?.();
}

/** When the slice that requests share which come in one turn of the event loop is over; 0 before the first. */
let sharedEnd = 0;

function endOfTurn(): number {
  if (sharedEnd === 0) {
    sharedEnd = performance.now() + sliceMs;
    setImmediate(() => {
      sharedEnd = 0;
    });
  }
  return sharedEnd;
}

/** Tells a long piece of work when to let others go on. Pieces that begin in one turn share a slice. */
export class Slice {
  #end = endOfTurn();

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for the next turn, with which a slice of its own begins. */
  async next(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + sliceMs;
  }
}
