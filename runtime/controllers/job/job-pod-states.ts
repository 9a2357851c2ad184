import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';

/** States of a job's pods. (pkg/controller/job) */

/** The finalizer that keeps pods until the job has counted them. */
export const jobTrackingFinalizer = 'batch.kubernetes.io/job-tracking';

export const hasTrackingFinalizer = ({ metadata: { finalizers } }: Pod): boolean => finalizers?.includes(jobTrackingFinalizer) ?? false;

/**
 * Reports whether pods are replaced only after they have finished, not while they terminate. (onlyReplaceFailedPods)
 */
export const onlyReplacesFailedPods = ({ spec }: Job): boolean =>
  spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;

/** Reports whether a pod has failed. A pod that is being deleted has, unless only finished pods are replaced. */
export function isPodFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === 'Failed') return true;
  return !onlyReplacesFailedPods(job) && Boolean(metadata.deletionTimestamp) && status?.phase !== 'Succeeded';
}
