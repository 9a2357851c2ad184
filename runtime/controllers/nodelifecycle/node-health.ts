import type { Node, NodeCondition } from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { conditionOf } from './node-condition.ts';

/** How long nothing may be heard of a node, in milliseconds. (--node-monitor-grace-period) */
const monitorGracePeriod = 50_000;
/** The same of a node that has said nothing yet. (--node-startup-grace-period) */
const startupGracePeriod = 60_000;

/** What a kubelet says. NetworkUnavailable is said by others. */
const kubeletConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** What was last seen of a node, and when. (nodeHealthData) */
interface NodeHealth {
  readonly ready: NodeCondition | undefined;
  /** When the node last showed that it is alive, by the clock of the controller, in milliseconds. */
  readonly probedAt: number;
  readonly renewTime: string | undefined;
}

export interface ObservedNode {
  readonly node: Node;
  /** Of the node's lease. */
  readonly renewTime: string | undefined;
}

/** The health of nodes as it was seen. (pkg/controller/nodelifecycle nodeHealthMap) */
export class NodeHealths {
  readonly #healths = new Map<string, NodeHealth>();

  /** Whether the node is known and was not ready when it was last seen. */
  isNotReady(name: string): boolean {
    const ready = this.#healths.get(name)?.ready;
    return ready !== undefined && ready.status !== 'True';
  }

  /** What the controller wrote. */
  setReady(name: string, ready: NodeCondition | undefined): void {
    const health = this.#healths.get(name);
    if (health !== undefined) this.#healths.set(name, { ...health, ready });
  }

  /** Takes all nodes as alive now. */
  resetProbes(now: number): void {
    for (const [name, health] of this.#healths) this.#healths.set(name, { ...health, probedAt: now });
  }

  forget(name: string): void {
    this.#healths.delete(name);
  }

  /** Takes note of what is seen of a node. @returns whether nothing has been heard of it for too long (tryUpdateNodeHealth) */
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

/** The node with conditions that say that nothing is known of it. */
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
