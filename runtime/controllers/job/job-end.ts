import type { Job, JobCondition } from '../../../generated/v1.35/batch/v1/types.ts';
import { findCondition, hasTrueCondition, newCondition } from './job-conditions.ts';
import type { JobContext } from './job-context.ts';
import { matchSuccessPolicy } from './success-policy.ts';

/**
 * Returns why a job ends, independent of what its pods do later. The finding of an earlier sync comes first, then
 * failures, then the success policy. (pkg/controller/job/job_controller.go syncJob)
 *
 * @returns a FailureTarget, SuccessCriteriaMet or Failed condition; undefined if the job continues
 */
export function jobEnd(context: JobContext, now: number): JobCondition | undefined {
  return decidedEnd(context, now) ?? failure(context, now) ?? indexesEnd(context, now);
}

function decidedEnd({ job, found }: JobContext, now: number): JobCondition | undefined {
  if (hasTrueCondition(job, 'SuccessCriteriaMet')) return findCondition(job, 'SuccessCriteriaMet');
  const target = findCondition(job, 'FailureTarget');
  if (target?.status === 'True') return newCondition('Failed', target.reason ?? '', target.message ?? '', now);
  const { failureMessage: message } = found;
  return message === undefined ? undefined : newCondition('FailureTarget', 'PodFailurePolicy', message, now);
}

function failure({ job, found, failed }: JobContext, now: number): JobCondition | undefined {
  const fail = (reason: string, message: string) => newCondition('FailureTarget', reason, message, now);
  if (failed > (job.spec?.backoffLimit ?? 0) || restartsExceedBackoffLimit(job, found.restarts)) {
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const remaining = remainingDeadline(job, now);
  return remaining !== undefined && remaining <= 0 ? fail('DeadlineExceeded', 'Job was active longer than specified deadline') : undefined;
}

function indexesEnd(context: JobContext, now: number): JobCondition | undefined {
  const { job, failedIndexes, succeededIndexes, completions } = context;
  const { maxFailedIndexes, successPolicy } = job.spec ?? {};
  const fail = (reason: string, message: string) => newCondition('FailureTarget', reason, message, now);
  if (failedIndexes !== undefined && maxFailedIndexes !== undefined && failedIndexes.total > maxFailedIndexes) {
    return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  }
  if (failedIndexes?.total && failedIndexes.total + succeededIndexes.total >= completions) {
    return fail('FailedIndexes', 'Job has failed indexes');
  }
  const message = matchSuccessPolicy(successPolicy, completions, succeededIndexes);
  return message === undefined ? undefined : newCondition('SuccessCriteriaMet', 'SuccessPolicy', message, now);
}

/** Reports whether enough pods have succeeded. (syncJob) */
export function isComplete({ job, succeeded, active }: JobContext): boolean {
  return active === 0 && succeeded >= (job.spec?.completions ?? 1);
}

/** Returns the milliseconds until the job's active deadline; undefined if none applies now. (pastActiveDeadline) */
export function remainingDeadline({ spec, status }: Job, now: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || !status?.startTime || spec.suspend) return undefined;
  return spec.activeDeadlineSeconds * 1000 - (now - Date.parse(status.startTime));
}

/**
 * Reports whether restarts exceed the backoff limit. They count if containers are restarted in place.
 * (pastBackoffLimitOnFailure)
 */
function restartsExceedBackoffLimit({ spec }: Job, restarts: number): boolean {
  return spec?.template.spec?.restartPolicy === 'OnFailure' && restarts >= Math.max(1, spec.backoffLimit ?? 0);
}
