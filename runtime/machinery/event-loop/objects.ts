import { checkEventLoopBudget } from './budget.ts';

/**
 * The most objects within one object that the event loop handles. The most expensive ones, containers, take 2.5 microseconds
 * each to be pruned, defaulted, validated, compared and encoded, and so fill the budget of a request.
 */
export const maxEventLoopObjects = 4_000;

/**
 * Checks the work that an object makes by its parts, whatever its bytes: 20,000 containers fit into 60 KB.
 *
 * @param value of JSON, decoded
 * @throws EventLoopBudgetError for more than maxEventLoopObjects
 */
export function checkEventLoopObjects(value: unknown): void {
  if (objectsLeft(value, maxEventLoopObjects) < 0) checkEventLoopBudget(Number.POSITIVE_INFINITY);
}

/** Returns how many objects are still allowed after those in the value; less than zero as soon as there are too many. */
function objectsLeft(value: unknown, allowed: number): number {
  if (typeof value !== 'object' || value === null) return allowed;
  let left = allowed;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = objectsLeft(item, left);
      if (left < 0) return left;
    }
    return left;
  }
  left--;
  for (const key in value) {
    if (left < 0) return left;
    left = objectsLeft((value as Record<string, unknown>)[key], left);
  }
  return left;
}
