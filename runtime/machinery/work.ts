import { reportCost } from './event-loop.ts';

/**
 * What the synchronous work under way has cost so far. Patterns and rules find out on the way that they are expensive,
 * each of them alone seldom is, and one object may have thousands: so what belongs together is added up here.
 */
let spent = 0;
let depth = 0;

/** Runs what counts as one: the validation of one object, say. Inside another one it counts as part of that. */
export function asOneWork<T>(work: () => T): T {
  if (depth === 0) spent = 0;
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

/**
 * Adds to what the work under way costs, before it is done; outside of any work it stands for itself.
 *
 * @throws EventLoopError as reportCost does
 */
export function spend(microseconds: number): void {
  spent = depth === 0 ? microseconds : spent + microseconds;
  reportCost(spent);
}
