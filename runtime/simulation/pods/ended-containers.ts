import type { ContainerStatus, PodSpec } from '../../../generated/v1.35/core/v1/types.ts';
import { isSidecar } from './phase.ts';

export interface PodContainers {
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
}

/**
 * Returns the containers of an ended pod. All have ended, those that never started with an unknown result. Containers
 * whose turn had not come stay unchanged. (pkg/kubelet/status TerminatePod)
 */
export function endedContainers(spec: PodSpec | undefined, { init, main }: PodContainers): PodContainers {
  const begun = Math.max(1, init.findLastIndex(hasBegun) + 1);
  return {
    init: init.map((status, index) => (index < begun ? ended(status) : status)),
    main: isInitialized(spec, { init, main }) ? main.map(ended) : main,
  };
}

/** (hasPodInitialized) */
function isInitialized(spec: PodSpec | undefined, { init, main }: PodContainers): boolean {
  const last = init.at(-1);
  if (last === undefined || main.some(hasBegun)) return true;
  const container = spec?.initContainers?.find(({ name }) => name === last.name);
  if (container !== undefined && isSidecar(container)) return last.state?.running !== undefined && last.started === true;
  return [last.state, last.lastState].some((state) => state?.terminated?.exitCode === 0);
}

const hasBegun = ({ state, lastState }: ContainerStatus): boolean => state?.waiting === undefined || lastState?.terminated !== undefined;

function ended(status: ContainerStatus): ContainerStatus {
  const { state, lastState } = status;
  if (state?.terminated) return status;
  if (lastState?.terminated) return { ...status, state: { terminated: lastState.terminated } };
  return { ...status, state: { terminated: notLocated } };
}

const notLocated = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  startedAt: null,
  finishedAt: null,
  message: 'The container could not be located when the pod was terminated',
};
