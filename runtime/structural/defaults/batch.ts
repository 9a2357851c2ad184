import type { Part } from '../../machinery/object.ts';

const largestInt32 = 2147483647;

/** (SetDefaults_Job, pkg/apis/batch/v1/defaults.go) */
export function setJobDefaults(job: Part): void {
  job.spec ??= {};
  const spec = job.spec;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : largestInt32;
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...labels };
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
}
