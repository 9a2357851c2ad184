import type { KubeObject, Part } from '../../machinery/object.ts';
import { ageOf, humanDuration } from './age.ts';

export const readyOfDesired = ({ spec, status }: KubeObject): string =>
  `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;

/** As `daemonset.apps/node-exporter`. */
export function controllerRevisionOwner(revision: KubeObject): string {
  const owner = revision.metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}

/** In the order in which one hides the other. */
const jobConditions = (job: KubeObject): [condition: string, text: string][] => [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ...(job.metadata.deletionTimestamp ? [['', 'Terminating'] as [string, string]] : []),
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

export function jobStatus(job: KubeObject): string {
  const conditions: Part[] = job.status?.conditions ?? [];
  const holds = (wanted: string): boolean =>
    wanted === '' || conditions.find(({ type }) => type === wanted)?.status === 'True';
  return jobConditions(job).find(([condition]) => holds(condition))?.[1] ?? 'Running';
}

export function jobCompletions({ spec, status }: KubeObject): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return (spec?.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

/** From start to completion, or to now; "" before the start. */
export function jobDuration({ status }: KubeObject, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

export const cronJobSuspend = ({ spec }: KubeObject): string =>
  spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';
export const cronJobActive = ({ status }: KubeObject): number => status?.active?.length ?? 0;
export const cronJobLastSchedule = ({ status }: KubeObject, now: number): string =>
  status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>';

export const disruptionMinAvailable = ({ spec }: KubeObject): string => String(spec?.minAvailable ?? 'N/A');
export const disruptionMaxUnavailable = ({ spec }: KubeObject): string => String(spec?.maxUnavailable ?? 'N/A');
