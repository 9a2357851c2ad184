import { timeText } from './scalars/time.ts';

/** The members of all conditions in statuses. */
interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
}

/**
 * Returns the conditions with a new one in the place of the first of its type, or at the end. Its time changes only
 * with its status. (apimachinery pkg/api/meta SetStatusCondition)
 *
 * @param now milliseconds since the epoch
 */
export function withCondition<T extends AnyCondition>(
  conditions: readonly T[],
  condition: Omit<T, 'lastTransitionTime'> & Pick<AnyCondition, 'type' | 'status'>,
  now: number,
): T[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old: T | undefined = conditions[index];
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : timeText(now);
  const updated = { ...condition, lastTransitionTime } as T;
  return index < 0 ? [...conditions, updated] : conditions.with(index, updated);
}
