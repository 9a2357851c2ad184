import type { Job } from '../../../generated/v1.35/batch/v1/types.ts';
import type { Container, Pod, PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { matchPodFailurePolicy } from './pod-failure-policy.ts';

/** Indexes and failure counts in the pods of indexed jobs. (pkg/controller/job/indexed_job_utils.go) */

export const completionIndexAnnotation = 'batch.kubernetes.io/job-completion-index';
const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredFailureCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';
const completionIndexEnv = 'JOB_COMPLETION_INDEX';
/**
 * The maximum length of a generated name without its random suffix. (apiserver storage/names MaxGeneratedNameLength)
 */
const maxGeneratedNameLength = 58;

export const isIndexedJob = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed';
export const hasBackoffLimitPerIndex = ({ spec }: Job): boolean => spec?.backoffLimitPerIndex !== undefined;

/** Returns the completion index; undefined for none, or an invalid one. (getCompletionIndex) */
export function completionIndexOf({ metadata: { annotations } }: Pod): number | undefined {
  const text = annotations?.[completionIndexAnnotation];
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns the completion index if the job wants it. */
export function validIndexOf(pod: Pod, job: Job): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined;
}

/** Returns the valid indexes of pods. */
export function indexesOf(pods: readonly Pod[]): Set<number> {
  const indexes = new Set<number>();
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index !== undefined) indexes.add(index);
  }
  return indexes;
}

/** Returns the number of earlier failures of the pod's index, without ignored failures. (getIndexFailureCount) */
export const indexFailureCount = (pod: Pod): number => countOf(pod, failureCountAnnotation);

/** Returns the number of all earlier failures of the pod's index. (getIndexAbsoluteFailureCount) */
export const indexAbsoluteFailureCount = (pod: Pod): number => indexFailureCount(pod) + countOf(pod, ignoredFailureCountAnnotation);

function countOf({ metadata: { annotations } }: Pod, key: string): number {
  const text = annotations?.[key];
  const count = text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : 0;
  return count <= 2 ** 31 - 1 ? count : 0;
}

/** Returns the annotations of a pod that replaces another pod of its index. (addIndexFailureCountAnnotation) */
export function failureCountAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (replaced === undefined) return { [failureCountAnnotation]: '0' };
  const { isCounted } = matchPodFailurePolicy(job.spec?.podFailurePolicy, replaced);
  const ignored = countOf(replaced, ignoredFailureCountAnnotation) + (isCounted ? 0 : 1);
  return {
    [failureCountAnnotation]: `${indexFailureCount(replaced) + (isCounted ? 1 : 0)}`,
    ...(ignored > 0 ? { [ignoredFailureCountAnnotation]: `${ignored}` } : {}),
  };
}

/** Adds the index to the environment of containers without a variable of this name. (addCompletionIndexEnvVariables) */
export function withCompletionIndexEnv(template: PodTemplateSpec): PodTemplateSpec {
  const { spec } = template;
  if (spec === undefined) return template;
  const fieldRef = { fieldPath: `metadata.labels['${completionIndexAnnotation}']` };
  const withEnv = (container: Container): Container => {
    const { env = [] } = container;
    if (env.some(({ name }) => name === completionIndexEnv)) return container;
    return { ...container, env: [...env, { name: completionIndexEnv, valueFrom: { fieldRef } }] };
  };
  const { containers, initContainers } = spec;
  return {
    ...template,
    spec: {
      ...spec,
      containers: containers.map(withEnv),
      ...(initContainers ? { initContainers: initContainers.map(withEnv) } : {}),
    },
  };
}

/** (podGenerateNameWithIndex) */
export function generateNameWithIndex(job: string, index: number): string {
  const suffix = `-${index}-`;
  return job.slice(0, maxGeneratedNameLength - suffix.length) + suffix;
}
