import type { JobTemplateSpec } from '../../../../generated/v1.35/batch/v1/types.ts';
import type { PodTemplateSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import type { GroupResource } from '../../../machinery/gvk.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { CheckedPod } from './checks/check.ts';

/** The kinds with a pod template. */
const workloads: ReadonlySet<string> = new Set([
  '/replicationcontrollers',
  '/podtemplates',
  'apps/replicasets',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'batch/jobs',
  'batch/cronjobs',
]);

export const hasPodTemplate = ({ group, resource }: GroupResource): boolean => workloads.has(`${group}/${resource}`);

/** The fields of a workload that concern pods. */
interface Workload {
  readonly template?: Unvalidated<PodTemplateSpec>;
  readonly spec?: {
    readonly template?: Unvalidated<PodTemplateSpec>;
    readonly jobTemplate?: Unvalidated<JobTemplateSpec>;
  };
}

/** Returns the pod template of a workload; undefined if it has none. (ExtractPodSpec) */
export function extractPod(object: KubeObject): CheckedPod | undefined {
  const { template, spec } = object as KubeObject & Workload;
  const found = template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;
  return found && { metadata: found.metadata ?? {}, spec: found.spec ?? {} };
}
