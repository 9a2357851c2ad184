import type { NodeInfo } from './node-info.ts';
import type { PluginName } from './plugin-names.ts';
import type { Status } from './status.ts';

/** The reasons why no node suits a pod. (scheduler/framework Diagnosis and NodeToStatus) */
export interface Diagnosis {
  /** Statuses by name of the node. */
  readonly nodeToStatus: ReadonlyMap<string, Status>;
  /** The status of all other nodes. */
  readonly absentNodesStatus: Status;
  readonly unschedulablePlugins: ReadonlySet<PluginName>;
  /** The reason why no node was tried; "" if some were. */
  readonly preFilterMsg: string;
}

/** The status of nodes that were not tried. */
export const noStatus: Status = { code: 'UnschedulableAndUnresolvable', reasons: [] };

/** (NodeToStatus.Get) */
export const statusOfNode = ({ nodeToStatus, absentNodesStatus }: Diagnosis, node: string): Status =>
  nodeToStatus.get(node) ?? absentNodesStatus;

/** Returns the nodes on which preemption may help. (NodesForStatusCode) */
export const unschedulableNodes = (diagnosis: Diagnosis, nodes: readonly NodeInfo[]): NodeInfo[] =>
  nodes.filter(({ name }) => statusOfNode(diagnosis, name).code === 'Unschedulable');

/** Returns `0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.`, sorted as texts. (FitError.Error) */
export function fitErrorMessage(numAllNodes: number, diagnosis: Diagnosis, postFilterMsg = ''): string {
  const { nodeToStatus, absentNodesStatus, preFilterMsg } = diagnosis;
  let message = `0/${numAllNodes} nodes are available:`;
  if (preFilterMsg !== '') message += ` ${preFilterMsg}.`;
  else {
    const counts = new Map<string, number>();
    const count = (reason: string, nodes: number): void => void counts.set(reason, (counts.get(reason) ?? 0) + nodes);
    for (const { reasons } of nodeToStatus.values()) for (const reason of reasons) count(reason, 1);
    const absent = numAllNodes - nodeToStatus.size;
    if (absent > 0) for (const reason of absentNodesStatus.reasons) count(reason, absent);
    const texts = [...counts].map(([reason, nodes]) => `${nodes} ${reason}`).sort();
    if (texts.length > 0) message += ` ${texts.join(', ')}.`;
  }
  return postFilterMsg === '' ? message : `${message} ${postFilterMsg}`;
}
