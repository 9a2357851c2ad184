/*
 * The share of the event loop that one request may take.
 *
 * All requests share one event loop, so a request that would hold it for long runs on a worker thread instead. A large
 * body goes to a worker at once. A small body can still be expensive: a pattern against a long text, or rules up to
 * their cost limit. Such work reports its cost before it runs. If the total exceeds the budget, an EventLoopBudgetError
 * ends the attempt, and the caller repeats the whole request on a worker. Therefore nothing may be written before such
 * work is done.
 */

/** Microseconds for which one request may hold the event loop, as estimated by the code that spends them. */
const budget = 10_000;

/** The bytes of an object that can be decoded, patched, pruned, validated and encoded in a microsecond, at least. */
const bytesPerMicrosecond = 6.5;

/** False on worker threads, where no other request waits. */
let isLimited = true;
/** The number of running calls of withoutEventLoopBudget. */
let unlimited = 0;

/** Microseconds that the current work has spent, and the number of running calls of shareEventLoopBudget. */
let spent = 0;
let depth = 0;

/** Lifts the limit for this thread. A worker calls it when it starts, since it runs one request at a time. */
export function disableEventLoopBudget(): void {
  isLimited = false;
}

/** Limits this thread again, as at the start. */
export function enableEventLoopBudget(): void {
  isLimited = true;
}

/** Runs work at any cost, for the server's own writes, which no worker can repeat. */
export function withoutEventLoopBudget<T>(work: () => T): T {
  unlimited++;
  try {
    return work();
  } finally {
    unlimited--;
  }
}

/**
 * Runs work whose parts share one budget, as the validation of one object. One pattern or rule is seldom expensive, but
 * an object may have thousands. A nested call counts towards the outer one.
 */
export function shareEventLoopBudget<T>(work: () => T): T {
  if (depth === 0) spent = 0;
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

/**
 * Adds the cost of work that is about to run to the total. Outside shareEventLoopBudget each call stands alone.
 *
 * @throws EventLoopBudgetError
 */
export function spend(microseconds: number): void {
  spent = depth === 0 ? microseconds : spent + microseconds;
  checkEventLoopBudget(spent);
}

/**
 * Checks the cost of work before it runs. The caller adds up the costs of one request.
 *
 * @param microseconds an upper estimate of the whole cost
 * @throws EventLoopBudgetError if the cost is too high for a thread on which other requests wait
 */
export function checkEventLoopBudget(microseconds: number): void {
  if (isLimited && unlimited === 0 && microseconds > budget) throw new EventLoopBudgetError();
}

/**
 * Checks the cost of the bytes of an object that the client did not send: copies, defaults, patches of webhooks.
 *
 * @throws EventLoopBudgetError
 */
export function checkEventLoopBytes(bytes: number): void {
  checkEventLoopBudget(bytes / bytesPerMicrosecond);
}

/** The request has to run on a worker thread. Clients never see this error. */
export class EventLoopBudgetError extends Error {
  readonly isEventLoopBudgetError = true;

  constructor() {
    super('the work would hold the event loop for too long');
    this.name = 'EventLoopBudgetError';
  }
}

export function isEventLoopBudgetError(error: unknown): error is EventLoopBudgetError {
  return typeof error === 'object' && error !== null && (error as EventLoopBudgetError).isEventLoopBudgetError === true;
}
