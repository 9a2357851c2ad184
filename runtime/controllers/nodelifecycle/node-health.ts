import type { Node, NodeCondition } from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { conditionOf } from './node-condition.ts';

/** Milliseconds without a sign of a node until its state is unknown. (--node-monitor-grace-period) */
const monitorGracePeriod = 50_000;
/** The same for a node that has never sent a sign. (--node-startup-grace-period) */
const startupGracePeriod = 60_000;

/** The conditions that kubelets write. Other components write NetworkUnavailable. */
const kubeletConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The last observation of a node, with its time. (nodeHealthData) */
interface NodeHealth {
  readonly ready: NodeCondition | undefined;
  /** The last sign of life of the node, by the controller's clock, in milliseconds. */
  readonly probedAt: number;
  readonly renewTime: string | undefined;
}

export interface ObservedNode {
  readonly node: Node;
  /** The renew time of the node's lease. */
  readonly renewTime: string | undefined;
}

/** The observed health of nodes. (pkg/controller/nodelifecycle nodeHealthMap) */
export class NodeHealths {
  readonly #healths = new Map<string, NodeHealth>();

  /** Reports whether the node is known and was not ready at the last observation. */
  isNotReady(name: string): boolean {
    const ready = this.#healths.get(name)?.ready;
    return ready !== undefined && ready.status !== 'True';
  }

  /** Records a Ready condition that the controller wrote. */
  setReady(name: string, ready: NodeCondition | undefined): void {
    const health = this.#healths.get(name);
    if (health !== undefined) this.#healths.set(name, { ...health, ready });
  }

  /** Treats all nodes as alive now. */
  resetProbes(now: number): void {
    for (const [name, health] of this.#healths) this.#healths.set(name, { ...health, probedAt: now });
  }

  forget(name: string): void {
    this.#healths.delete(name);
  }

  /** Records an observation of a node. @returns whether the node has been silent for too long (tryUpdateNodeHealth) */
  observe({ node, renewTime }: ObservedNode, now: number): boolean {
    const { name = '', creationTimestamp } = node.metadata;
    const ready = conditionOf(node, 'Ready');
    const saved = this.#healths.get(name);
    const isAlive = saved?.renewTime === undefined ? renewTime !== undefined : (renewTime ?? '') > saved.renewTime;
    let probedAt = saved?.probedAt ?? Date.parse(creationTimestamp ?? '');
    if (ready !== undefined && ready.lastHeartbeatTime !== saved?.ready?.lastHeartbeatTime) probedAt = now;
    if (ready !== undefined && saved?.ready === undefined) probedAt = now;
    if (isAlive) probedAt = now;
    this.#healths.set(name, { ready, probedAt, renewTime: isAlive ? renewTime : saved?.renewTime });
    return now > probedAt + (ready === undefined ? startupGracePeriod : monitorGracePeriod);
  }
}

/** Returns the node with status Unknown in the kubelet's conditions. */
export function withUnknownConditions(node: Node, now: number): Node {
  const lastTransitionTime = timeText(now);
  const unknown = (condition: NodeCondition): NodeCondition => {
    if (!kubeletConditions.includes(condition.type) || condition.status === 'Unknown') return condition;
    const message = 'Kubelet stopped posting node status.';
    return { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message, lastTransitionTime };
  };
  const conditions = (node.status?.conditions ?? []).map(unknown);
  for (const type of kubeletConditions) {
    if (conditions.some((condition) => condition.type === type)) continue;
    conditions.push({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      ...defined({ lastHeartbeatTime: node.metadata.creationTimestamp }),
      lastTransitionTime,
    });
  }
  return { ...node, status: { ...node.status, conditions } };
}
