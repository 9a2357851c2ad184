import type { Container, ContainerStatus, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { RunOf } from '../programs/container-run.ts';
import { type ContainerRuns, runOf } from '../programs/container-runs.ts';
import { commandLine, programPlan } from '../programs/program-plan.ts';
import { serverOf } from '../programs/servers/table.ts';
import type { Endpoint } from './endpoint.ts';
import type { Listener } from './listener.ts';
import { annotatedListener, declaredListener } from './port-answers.ts';

interface PodListenersOf {
  readonly runs: ContainerRuns;
  readonly allowsLocalhost: boolean;
}

/**
 * Returns what listens on a port of a running pod: what its annotation says, a server that the simulation has, or an
 * answer in place of a program that nobody knows. Undefined if nothing listens.
 *
 * @throws Error for a port of this machine that may not be reached
 */
export async function podListener(
  pod: Pod,
  at: Pick<Endpoint, 'port' | 'protocol'>,
  { runs, allowsLocalhost }: PodListenersOf,
): Promise<Listener | undefined> {
  const annotated = at.protocol === 'TCP' ? annotatedListener(pod, at.port, allowsLocalhost) : undefined;
  if (annotated !== undefined) return annotated;
  const running = runsOf(pod);
  for (const run of running) {
    const listener = await runs.listenerOf(run, at);
    if (listener !== undefined) return listener;
  }
  const unknown = running.filter(({ container }) => hasUnknownProgram(container) && !runs.isProcess(container));
  return at.protocol === 'TCP'
    ? declaredListener(
        pod,
        unknown.map(({ container }) => container),
        at.port,
      )
    : undefined;
}

/** Returns the running containers of a pod. */
export function runsOf(pod: Pod): readonly RunOf[] {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  return [...running(pod, containers, containerStatuses), ...running(pod, initContainers, initContainerStatuses)];
}

function running(pod: Pod, containers: readonly Container[], statuses: readonly ContainerStatus[]): RunOf[] {
  return containers.flatMap((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const run = status === undefined ? undefined : runOf(pod, container, status);
    return run === undefined ? [] : [run];
  });
}

/** Reports whether nobody knows on which ports a container listens. */
export function hasUnknownProgram(container: Container): boolean {
  const { kind } = programPlan(container);
  if (kind === 'unknown') return true;
  const line = commandLine(container) ?? [];
  return kind === 'lasts' && !container.stdin && serverOf(line) === undefined && !/(?:^|\/)pause$/.test(line[0] ?? '');
}
