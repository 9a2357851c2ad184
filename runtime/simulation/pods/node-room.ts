import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import { type Amounts, zero } from '../../machinery/scalars/resource-amounts.ts';

/** What there is on a node for a pod. */
export interface NodeRoom {
  /** Undefined if it has just gone. */
  node(): Node | undefined;
  /** The other pods that the node has taken and that have not ended. */
  others(): Pod[];
  /** Of the node as a whole. */
  allocatable(): Amounts;
  /** What the other pods have been given. */
  used(): Amounts;
}

/** Why a node cannot give a pod what it asks for: never, or not now. */
export interface Shortage {
  readonly reason: 'Infeasible' | 'Deferred';
  readonly message: string;
}

/** As messages count: thousandths of CPUs, and bytes. */
const counted = {
  cpu: (amounts: Amounts): bigint => scaledQuantityValue(amounts.get('cpu') ?? zero, -3),
  memory: (amounts: Amounts): bigint => scaledQuantityValue(amounts.get('memory') ?? zero),
};

/** What a pod asks for too much of, if it does. (pkg/kubelet/allocation canResizePod, scheduler noderesources fit.go) */
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
