import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { ageOf } from '../../../machinery/age.ts';
import type { TableRowCondition } from '../../../machinery/resource.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';

/** Columns of pods. (pkg/printers/internalversion/printers.go, printPod) */

type Pod = Unvalidated<core.Pod>;
type PodStatus = Unvalidated<core.PodStatus>;
type ContainerStatus = Unvalidated<core.ContainerStatus>;
type Conditions = readonly Unvalidated<core.PodCondition>[];

interface PodSummary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** RFC 3339, or "" before the first restart. */
  lastRestart: string;
}

function summarize({ metadata, spec = {}, status = {} }: Pod): PodSummary {
  const conditions = status.conditions ?? [];
  const sidecars = new Set((spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
  const summary: PodSummary = {
    ready: 0,
    total: (spec.containers?.length ?? 0) + sidecars.size,
    reason: status.reason || status.phase || '',
    restarts: 0,
    lastRestart: '',
  };
  if (conditions.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated')) {
    summary.reason = 'SchedulingGated';
  }
  const unfinished = addInitContainers(summary, spec.initContainers?.length ?? 0, status, sidecars);
  if (unfinished === undefined || isTrue(conditions, 'Initialized')) {
    const initStatuses = (status.initContainerStatuses ?? []).slice(0, (unfinished ?? Number.POSITIVE_INFINITY) + 1);
    addSidecarRestarts(summary, initStatuses, sidecars);
    addContainers(summary, status.containerStatuses ?? [], conditions);
  }
  if (metadata?.deletionTimestamp) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

/** Adds init containers up to the first that is not done. Returns its index, or undefined. */
function addInitContainers(
  summary: PodSummary,
  total: number,
  { initContainerStatuses }: PodStatus,
  sidecars: ReadonlySet<string | undefined>,
): number | undefined {
  for (const [index, container] of (initContainerStatuses ?? []).entries()) {
    addRestarts(summary, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated && !terminated.exitCode) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) summary.ready++;
      continue;
    }
    if (terminated) summary.reason = `Init:${terminatedReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${total}`;
    return index;
  }
  return undefined;
}

/** Replaces the restarts of init containers with those of sidecars. */
function addSidecarRestarts(summary: PodSummary, statuses: readonly ContainerStatus[], sidecars: ReadonlySet<string | undefined>): void {
  summary.restarts = 0;
  summary.lastRestart = '';
  for (const container of statuses) if (sidecars.has(container.name)) addRestarts(summary, container);
}

/** Adds the containers from last to first. The reason of the first wins. */
function addContainers(summary: PodSummary, statuses: readonly ContainerStatus[], conditions: Conditions): void {
  let running = false;
  let failed = '';
  for (const container of [...statuses].reverse()) {
    addRestarts(summary, container);
    const { terminated, waiting, running: isRunning } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated) {
      summary.reason = terminatedReason(terminated);
      if (terminated.exitCode) failed = summary.reason;
    } else if (container.ready && isRunning) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (running && isTrue(conditions, 'Ready')) summary.reason = 'Running';
  else if (failed !== '') summary.reason = failed;
  else if (running) summary.reason = 'NotReady';
}

function addRestarts(summary: PodSummary, container: ContainerStatus): void {
  summary.restarts += container.restartCount ?? 0;
  const finished = container.lastState?.terminated?.finishedAt;
  if (finished && (summary.lastRestart === '' || Date.parse(finished) > Date.parse(summary.lastRestart))) {
    summary.lastRestart = finished;
  }
}

const terminatedReason = ({ reason, signal, exitCode }: Unvalidated<core.ContainerStateTerminated>): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);

const isTrue = (conditions: Conditions, wanted: string | undefined): boolean =>
  conditions.find(({ type }) => type === wanted)?.status === 'True';

export function podReady(pod: Pod): string {
  const { ready, total } = summarize(pod);
  return `${ready}/${total}`;
}

export const podStatus = (pod: Pod): string => summarize(pod).reason;

/** Formats the restarts as `3 (5m ago)`. */
export function podRestarts(pod: Pod, now: number): string {
  const { restarts, lastRestart } = summarize(pod);
  return restarts !== 0 && lastRestart !== '' ? `${restarts} (${ageOf(lastRestart, now)} ago)` : String(restarts);
}

export function podReadinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => isTrue(pod.status?.conditions ?? [], conditionType));
  return `${open.length}/${gates.length}`;
}

/** Returns the value of the field selector `status.podIP`. (pkg/registry/core/pod/strategy.go, ToSelectableFields) */
export const podIP = ({ status }: Pod): string => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '';

/** Returns the value of a field selector that is accepted but never set, as `status.podIPs` upstream. */
export const unset = (): string => '';

const completed = (reason: string, message: string): readonly TableRowCondition[] => [
  { type: 'Completed', status: 'True', reason, message },
];
const podSuccessConditions = completed('Succeeded', 'The pod has completed successfully.');
const podFailedConditions = completed('Failed', 'The pod failed.');

/** Returns the conditions of a row: whether the pod has completed. (printPod) */
export function podRowConditions({ status }: Pod): readonly TableRowCondition[] | undefined {
  if (status?.phase === 'Succeeded') return podSuccessConditions;
  return status?.phase === 'Failed' ? podFailedConditions : undefined;
}
