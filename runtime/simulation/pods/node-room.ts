import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import { type Amounts, zero } from '../../machinery/scalars/resource-amounts.ts';

/** The resources of a node from the view of one pod. */
export interface NodeRoom {
  /** Returns undefined if the node has just been deleted. */
  node(): Node | undefined;
  /** Returns the other admitted pods of the node that have not ended. */
  others(): Pod[];
  /** Returns the allocatable resources of the whole node. */
  allocatable(): Amounts;
  /** Returns the resources allocated to the other pods. */
  used(): Amounts;
}

/** The reason why a node cannot resize a pod: never, or not now. */
export interface Shortage {
  readonly reason: 'Infeasible' | 'Deferred';
  readonly message: string;
}

/** Units of messages: thousandths of CPUs, and bytes. */
const counted = {
  cpu: (amounts: Amounts): bigint => scaledQuantityValue(amounts.get('cpu') ?? zero, -3),
  memory: (amounts: Amounts): bigint => scaledQuantityValue(amounts.get('memory') ?? zero),
};

/**
 * Returns the first resource that the node lacks for the pod, if any. (pkg/kubelet/allocation canResizePod, scheduler
 * noderesources fit.go)
 */
export function shortageFor(requests: Amounts, room: NodeRoom): Shortage | undefined {
  const allocatable = room.allocatable();
  for (const name of ['memory', 'cpu'] as const) {
    const count = counted[name];
    const [requested, capacity] = [count(requests), count(allocatable)];
    if (requested <= capacity) continue;
    const what = `${name}, requested: ${requested}, capacity: ${capacity}`;
    return { reason: 'Infeasible', message: `Node didn't have enough capacity: ${what}` };
  }
  const others = room.used();
  for (const name of ['cpu', 'memory'] as const) {
    const count = counted[name];
    const [requested, used, capacity] = [count(requests), count(others), count(allocatable)];
    if (requested === 0n || requested <= capacity - used) continue;
    const what = `${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: 'Deferred', message: `Node didn't have enough resource: ${what}` };
  }
  return undefined;
}
