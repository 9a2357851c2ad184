/**
 * Whether work that takes long may run in this thread.
 *
 * One event loop serves everybody, so a request that would hold it for long is run by a worker thread instead. Large
 * bodies go there at once. What is small and still expensive (a pattern against a long text, rules up to their cost
 * limit) is found out on the way: it reports what it costs, and where that is too much for the event loop an
 * EventLoopError ends the attempt. Whoever runs the request then runs it again, from its beginning, on a worker.
 * So nothing may be written before such work is done.
 */
let shared = true;
/** How much of what is under way nobody else can run. */
let own = 0;

/** Microseconds that one request may hold the event loop for on purpose, as estimated by who spends them. */
const patience = 10_000;

/** Says, at the start of a worker thread, that nobody but the request under way waits for this thread. */
export function ownThread(): void {
  shared = false;
}

/** Runs what costs what it costs, since no worker can run it: the server's own writes. */
export function patiently<T>(work: () => T): T {
  own++;
  try {
    return work();
  } finally {
    own--;
  }
}

/**
 * Reports work before it is done. Callers add up what belongs to one request.
 *
 * @param microseconds what it takes altogether, at most: an estimate
 * @throws EventLoopError where that is too much for a thread that others wait for
 */
export function reportCost(microseconds: number): void {
  if (shared && own === 0 && microseconds > patience) throw new EventLoopError();
}

/** The request must run on a worker thread. Never an answer. */
export class EventLoopError extends Error {
  readonly isEventLoopError = true;

  constructor() {
    super('the work would hold the event loop for too long');
    this.name = 'EventLoopError';
  }
}

export function isEventLoopError(error: unknown): error is EventLoopError {
  return typeof error === 'object' && error !== null && (error as EventLoopError).isEventLoopError === true;
}
