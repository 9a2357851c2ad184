import type { Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { amountsOf } from '../../../machinery/scalars/resource-amounts.ts';
import type { EventObjects } from '../framework/cluster-event.ts';
import { NodeInfo } from '../framework/node-info.ts';
import { type FilterPlugin, maxNodeScore, type ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { newResource } from '../framework/resource.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';

const name = 'NodeResourcesFit';
const fitsEmptyNode = ({ requests }: PodInfo, node: Node): boolean => {
  const info = new NodeInfo('');
  info.allocatable = newResource(amountsOf(node.status?.allocatable));
  return insufficient(requests, info) === undefined;
};

function nodeBecameLarger(pod: PodInfo, { after }: EventObjects): boolean {
  return fitsEmptyNode(pod, after as Node);
}

/**
 * Filters by free resources, and scores by LeastAllocated: nodes with more free resources are better.
 * (plugins/noderesources)
 */
export const nodeResourcesFit: FilterPlugin & ScorePlugin = {
  name,
  hints: {
    NodeAdd: nodeBecameLarger,
    NodeAllocatable: nodeBecameLarger,
    AssignedPodDelete: true,
    AssignedPodScaleDown: true,
  },
  weight: 1,
  preFilter: ({ requests }) => ({ filter: (node) => insufficient(requests, node) }),
  preScore({ nonZeroMilliCPU, nonZeroMemory }) {
    return {
      score(node) {
        const { allocatable } = node;
        const cpu = leastRequestedScore(node.nonZeroMilliCPU + nonZeroMilliCPU, allocatable.milliCPU);
        const memory = leastRequestedScore(node.nonZeroMemory + nonZeroMemory, allocatable.memory);
        const weights = (allocatable.milliCPU === 0 ? 0 : 1) + (allocatable.memory === 0 ? 0 : 1);
        return weights === 0 ? 0 : Math.floor((cpu + memory) / weights);
      },
    };
  },
};

function leastRequestedScore(requested: number, capacity: number): number {
  if (capacity === 0 || requested > capacity) return 0;
  return Math.floor(((capacity - requested) * maxNodeScore) / capacity);
}

/** Prefers nodes that use equal shares of CPU and memory. (NodeResourcesBalancedAllocation) */
export const nodeResourcesBalancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  preScore({ requests: { milliCPU, memory } }) {
    if (milliCPU === 0 && memory === 0) return undefined;
    return {
      score({ requested, allocatable }) {
        const cpu = fraction(requested.milliCPU + milliCPU, allocatable.milliCPU);
        const bytes = fraction(requested.memory + memory, allocatable.memory);
        const deviation = cpu === undefined || bytes === undefined ? 0 : Math.abs(cpu - bytes) / 2;
        return Math.trunc((1 - deviation) * maxNodeScore);
      },
    };
  },
};

const fraction = (requested: number, allocatable: number): number | undefined =>
  allocatable === 0 ? undefined : Math.min(1, requested / allocatable);

/** One shared Status per text or combination of texts. */
const statuses = new Map<string, Status>();

function statusOf(reasons: readonly string[], isUnresolvable: boolean): Status {
  const key = `${isUnresolvable}${reasons.join()}`;
  let status = statuses.get(key);
  if (status === undefined) {
    status = isUnresolvable ? unresolvable(name, ...reasons) : unschedulable(name, ...reasons);
    if (statuses.size < 1_000) statuses.set(key, status);
  }
  return status;
}

/** Returns undefined if the node has enough of everything. (fitsRequest) */
function insufficient(wanted: PodInfo['requests'], node: NodeInfo): Status | undefined {
  const { pods, requested, allocatable } = node;
  const fits =
    pods.size < allocatable.allowedPodNumber &&
    wanted.milliCPU <= allocatable.milliCPU - requested.milliCPU &&
    wanted.memory <= allocatable.memory - requested.memory &&
    wanted.ephemeralStorage <= allocatable.ephemeralStorage - requested.ephemeralStorage;
  return fits && wanted.scalarResources.size === 0 ? undefined : insufficientStatus(insufficientResources(wanted, node));
}

function insufficientStatus(insufficient: readonly InsufficientResource[]): Status | undefined {
  if (insufficient.length === 0) return undefined;
  const reasons = insufficient.map(({ resource }) => (resource === 'pods' ? tooManyPods : `Insufficient ${resource}`));
  return statusOf(
    reasons,
    insufficient.some(({ resource, wanted, capacity }) => resource !== 'pods' && wanted > capacity),
  );
}

const tooManyPods = 'Too many pods';

/** A resource that the node lacks. CPUs are in thousandths. */
export interface InsufficientResource {
  readonly resource: string;
  readonly wanted: number;
  readonly used: number;
  readonly capacity: number;
}

export function insufficientResources(requests: PodInfo['requests'], { pods, requested, allocatable }: NodeInfo): InsufficientResource[] {
  const found: InsufficientResource[] = [];
  const check = (resource: string, wanted: number, used: number, capacity: number): void => {
    if (wanted !== 0 && wanted > capacity - used) found.push({ resource, wanted, used, capacity });
  };
  check('pods', 1, pods.size, allocatable.allowedPodNumber);
  check('cpu', requests.milliCPU, requested.milliCPU, allocatable.milliCPU);
  check('memory', requests.memory, requested.memory, allocatable.memory);
  check('ephemeral-storage', requests.ephemeralStorage, requested.ephemeralStorage, allocatable.ephemeralStorage);
  for (const [resource, amount] of requests.scalarResources) {
    const used = requested.scalarResources.get(resource) ?? 0;
    check(resource, amount, used, allocatable.scalarResources.get(resource) ?? 0);
  }
  return found;
}
