import { checkEventLoopBudget } from './budget.ts';

/**
 * The maximum number of JSON objects within one API object for the event loop. Containers are the most expensive ones:
 * each takes 2.5 microseconds to prune, default, validate, compare and encode, so this number of them fills the budget
 * of a request.
 */
export const maxEventLoopObjects = 4_000;

/**
 * Checks the work for a value by the number of its JSON objects. A limit on bytes is not enough: 60 KB can hold 20,000
 * containers.
 *
 * @param value decoded JSON
 * @throws EventLoopBudgetError for more than maxEventLoopObjects
 */
export function checkEventLoopObjects(value: unknown): void {
  if (objectsLeft(value, maxEventLoopObjects) < 0) checkEventLoopBudget(Number.POSITIVE_INFINITY);
}

/** Subtracts the number of objects in the value from `allowed`. Stops as soon as the result is below zero. */
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
