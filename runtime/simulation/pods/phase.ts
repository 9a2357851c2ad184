import type { Container, ContainerStatus, Pod, PodSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { containerRestartsAfter } from '../../kinds/core/pod/container-statuses.ts';

/* The phase of a pod, computed from its container statuses. (pkg/kubelet/kubelet_pods.go, getPhase) */

export const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

type Statuses = ReadonlyMap<string, ContainerStatus>;

interface Counts {
  running: number;
  waiting: number;
  stopped: number;
  succeeded: number;
  /** Containers that have stopped and will not restart. */
  settled: number;
  unknown: number;
}

/** Returns the phase of a pod. An ended pod without success has failed. (TerminatePod) */
export function phaseOf(...[pod, statuses, isTerminal]: Parameters<typeof phaseByContainers>): PodPhase {
  const phase = phaseByContainers(pod, statuses, isTerminal);
  return isTerminal && phase !== 'Succeeded' ? 'Failed' : phase;
}

type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/**
 * @param statuses of init containers and containers, by name
 * @param isTerminal whether no container will restart, whatever the policies
 */
function phaseByContainers({ spec }: Pod, statuses: Statuses, isTerminal: boolean): PodPhase {
  const { initContainers = [], containers = [] } = spec ?? {};
  const counts: Counts = { running: 0, waiting: 0, stopped: 0, succeeded: 0, settled: 0, unknown: 0 };
  let pendingInit = 0;
  let pendingSidecars = 0;
  let hasFailed = false;
  for (const container of initContainers) {
    const status = statuses.get(container.name);
    if (isSidecar(container)) pendingSidecars += countSidecar(status, counts);
    else if (exitOf(status) === undefined) pendingInit++;
    else hasFailed ||= exitOf(status) !== 0 && !containerRestartsAfter(container, spec as PodSpec, exitOf(status) as number);
  }
  for (const container of containers) countContainer(container, spec as PodSpec, statuses.get(container.name), counts);
  const hasInitialized = containers.some(({ name }) => hasStarted(statuses.get(name)));
  if (hasFailed) return 'Failed';
  if (pendingInit > 0 || (pendingSidecars > 0 && !hasInitialized) || counts.waiting > 0) return 'Pending';
  if (counts.unknown > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if (counts.stopped === 0) return 'Pending';
  if (!isTerminal && counts.stopped !== counts.settled) return 'Running';
  return counts.stopped === counts.succeeded ? 'Succeeded' : 'Failed';
}

/** Counts a sidecar. Returns 1 if the pod must wait for it before it is initialized. */
function countSidecar(status: ContainerStatus | undefined, counts: Counts): 0 | 1 {
  if (status?.state?.running) {
    counts.running++;
    return status.started ? 0 : 1;
  }
  if (status?.state?.terminated || status?.lastState?.terminated) return 0;
  if (status === undefined) counts.unknown++;
  else counts.waiting++;
  return 1;
}

function countContainer(container: Container, spec: PodSpec, status: ContainerStatus | undefined, counts: Counts): void {
  if (status === undefined) counts.unknown++;
  else if (status.state?.running) counts.running++;
  else {
    const exitCode = exitOf(status);
    if (exitCode === undefined) {
      counts.waiting++;
      return;
    }
    counts.stopped++;
    if (!containerRestartsAfter(container, spec, exitCode)) counts.settled++;
    if (status.state?.terminated && exitCode === 0) counts.succeeded++;
  }
}

/** Returns the exit code of a container that is not running. */
function exitOf(status: ContainerStatus | undefined): number | undefined {
  if (status?.state?.running) return undefined;
  return (status?.state?.terminated ?? status?.lastState?.terminated)?.exitCode;
}

/** Reports whether the container runs or has run. (HasAnyActiveRegularContainerStarted) */
const hasStarted = (status: ContainerStatus | undefined): boolean =>
  Boolean(status?.state?.running || status?.state?.terminated || status?.lastState?.terminated);
