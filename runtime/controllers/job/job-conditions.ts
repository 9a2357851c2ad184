import type { Job, JobCondition } from '../../../generated/v1.35/batch/v1/types.ts';
import { timeText } from '../../machinery/scalars/time.ts';

/** (pkg/controller/job/job_controller.go newCondition) `now` is milliseconds since the epoch. */
export function newCondition(type: string, reason: string, message: string, now: number): JobCondition {
  const time = timeText(now);
  return { type, status: 'True', lastProbeTime: time, lastTransitionTime: time, reason, message };
}

export function findCondition(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((condition) => condition.type === type);
}

export function hasTrueCondition(job: Job, type: string): boolean {
  return findCondition(job, type)?.status === 'True';
}

/** Returns the Complete or Failed condition of a finished job. (pkg/controller/job/util FinishedCondition) */
export function jobFinishedCondition({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
}

export const isJobFinished = (job: Job): boolean => jobFinishedCondition(job) !== undefined;

/**
 * Adds or sets a condition. Does not add a condition whose status is False. (ensureJobConditionStatus)
 *
 * @returns the conditions; the same list if nothing changed
 */
export function ensureCondition(conditions: readonly JobCondition[], wanted: JobCondition): readonly JobCondition[] {
  const before = conditions.find(({ type }) => type === wanted.type);
  if (before === undefined) return wanted.status === 'False' ? conditions : [...conditions, wanted];
  const { status, reason, message } = before;
  if (status === wanted.status && reason === wanted.reason && message === wanted.message) return conditions;
  return conditions.map((condition) => (condition === before ? wanted : condition));
}
