import { ageOf } from '../../../machinery/age.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import type { TableRowCondition } from '../../../machinery/resource.ts';

interface PodSummary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** RFC 3339, "" before the first restart. */
  lastRestart: string;
}

/** What a pod's containers come to, in one row. (pkg/printers/internalversion/printers.go, printPod) */
function summarize(pod: KubeObject): PodSummary {
  const spec = pod.spec ?? {};
  const status = pod.status ?? {};
  const conditions: Part[] = status.conditions ?? [];
  const sidecars = new Set<string>(
    (spec.initContainers ?? [])
      .filter(({ restartPolicy }: Part) => restartPolicy === 'Always')
      .map(({ name }: Part) => name),
  );
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
  const unfinished = addInitContainers(summary, spec, status, sidecars);
  if (unfinished === undefined || isTrue(conditions, 'Initialized')) {
    addContainers(summary, status, sidecars, conditions, unfinished);
  }
  if (pod.metadata?.deletionTimestamp) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.reason = 'Terminating';
  }
  return summary;
}

/** Counts until the first init container that is not done; its index, undefined where there is none. */
function addInitContainers(
  summary: PodSummary,
  spec: Part,
  status: Part,
  sidecars: ReadonlySet<string>,
): number | undefined {
  const statuses: Part[] = status.initContainerStatuses ?? [];
  for (const [index, container] of statuses.entries()) {
    addRestarts(summary, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated && !terminated.exitCode) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) summary.ready++;
      continue;
    }
    if (terminated) summary.reason = `Init:${terminatedReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${spec.initContainers?.length ?? 0}`;
    return index;
  }
  return undefined;
}

/**
 * From the last to the first, so that the first container has the last word. Of init containers only sidecars count, up to
 * the first one that is not done.
 */
function addContainers(
  summary: PodSummary,
  status: Part,
  sidecars: ReadonlySet<string>,
  conditions: Part[],
  unfinished = Number.POSITIVE_INFINITY,
): void {
  summary.restarts = 0;
  summary.lastRestart = '';
  for (const container of (status.initContainerStatuses ?? []).slice(0, unfinished + 1)) {
    if (sidecars.has(container.name)) addRestarts(summary, container);
  }
  let running = false;
  let failed = '';
  for (const container of [...(status.containerStatuses ?? [])].reverse()) {
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

function addRestarts(summary: PodSummary, container: Part): void {
  summary.restarts += container.restartCount ?? 0;
  const finished = container.lastState?.terminated?.finishedAt;
  if (finished && (summary.lastRestart === '' || Date.parse(finished) > Date.parse(summary.lastRestart))) {
    summary.lastRestart = finished;
  }
}

const terminatedReason = ({ reason, signal, exitCode }: Part): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);

const isTrue = (conditions: readonly Part[], wanted: string): boolean =>
  conditions.find(({ type }) => type === wanted)?.status === 'True';

export function podReady(pod: KubeObject): string {
  const { ready, total } = summarize(pod);
  return `${ready}/${total}`;
}

export const podStatus = (pod: KubeObject): string => summarize(pod).reason;

/** As `3 (5m ago)`. */
export function podRestarts(pod: KubeObject, now: number): string {
  const { restarts, lastRestart } = summarize(pod);
  return restarts !== 0 && lastRestart !== '' ? `${restarts} (${ageOf(lastRestart, now)} ago)` : String(restarts);
}

export function podReadinessGates(pod: KubeObject): string {
  const gates: Part[] = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => isTrue(pod.status?.conditions ?? [], conditionType));
  return `${open.length}/${gates.length}`;
}

/** Values of field selectors that overlays name as `custom`. (each kind's GetAttrs, pkg/registry) */

/** (pkg/registry/core/pod/strategy.go) */
export const podIP = ({ status }: KubeObject): string => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '';

/** A label that is taken, and has no value on any object. (status.podIPs: pkg/apis/core/v1/conversion.go has it, strategy.go does not) */
export const unset = (): string => '';

const completed = (reason: string, message: string): readonly TableRowCondition[] => [
  { type: 'Completed', status: 'True', reason, message },
];
const podSuccessConditions = completed('Succeeded', 'The pod has completed successfully.');
const podFailedConditions = completed('Failed', 'The pod failed.');

/** The conditions of a row: whether the pod has completed. (printPod) */
export function podRowConditions({ status }: KubeObject): readonly TableRowCondition[] | undefined {
  if (status?.phase === 'Succeeded') return podSuccessConditions;
  return status?.phase === 'Failed' ? podFailedConditions : undefined;
}
