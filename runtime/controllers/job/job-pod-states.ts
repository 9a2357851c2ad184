import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** What a job asks of one of its pods. (pkg/controller/job) */

/** Keeps pods until the job has counted them. */
export const jobTrackingFinalizer = 'batch.kubernetes.io/job-tracking';

export const hasTrackingFinalizer = ({ metadata: { finalizers } }: Pod): boolean => finalizers?.includes(jobTrackingFinalizer) ?? false;

/** Whether pods are replaced when they have finished, not while they terminate. (onlyReplaceFailedPods) */
export const onlyReplacesFailedPods = ({ spec }: Job): boolean =>
  spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;

/** Pods that are deleted fail, unless only those that have finished are replaced. */
export function isPodFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === 'Failed') return true;
  return !onlyReplacesFailedPods(job) && Boolean(metadata.deletionTimestamp) && status?.phase !== 'Succeeded';
}
