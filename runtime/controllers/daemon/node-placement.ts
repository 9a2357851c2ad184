import type { DaemonSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { requiredNodeAffinity } from '../../kinds/core/scheduling/node-affinity.ts';
import { findUntoleratedTaint, isDoNotScheduleTaint } from '../../kinds/core/scheduling/taints.ts';
import { cloneJson } from '../../machinery/json/clone.ts';
import { addDaemonPodTolerations } from './daemon-set-util.ts';

export interface Placement {
  /** Whether to create a missing pod on the node. */
  readonly shouldRun: boolean;
  /** Whether an existing pod may stay on the node. */
  readonly shouldContinueRunning: boolean;
}

/** Returns a function that decides whether a daemon set's pod belongs on a node. (NodeShouldRunDaemonPod) */
export function daemonPlacement({ spec }: DaemonSet): (node: Node) => Placement {
  const podSpec = { containers: [], ...cloneJson(spec?.template.spec ?? {}) };
  addDaemonPodTolerations(podSpec);
  const pod: Pod = { metadata: {}, spec: podSpec };
  const { nodeName, tolerations } = podSpec as NonNullable<Pod['spec']>;
  const isSelected = requiredNodeAffinity(pod);
  return (node) => {
    if ((nodeName && nodeName !== node.metadata.name) || !isSelected(node)) return never;
    const { taints } = node.spec ?? {};
    if (findUntoleratedTaint(taints, tolerations, isDoNotScheduleTaint) === undefined) return always;
    const isEvicted = findUntoleratedTaint(taints, tolerations, ({ effect }) => effect === 'NoExecute') !== undefined;
    return isEvicted ? never : whileItRuns;
  };
}

const never: Placement = { shouldRun: false, shouldContinueRunning: false };
const always: Placement = { shouldRun: true, shouldContinueRunning: true };
const whileItRuns: Placement = { shouldRun: false, shouldContinueRunning: true };

/** Cached placements by daemon set and node. An entry is valid as long as neither object changes. */
export class Placements {
  readonly #known = new Map<string, { readonly generation: number; readonly of: (node: Node) => Placement }>();

  /** Returns the placement function of a daemon set. */
  of(daemonSet: DaemonSet): (node: Node) => Placement {
    const { uid = '', generation = 0 } = daemonSet.metadata;
    const known = this.#known.get(uid);
    if (known?.generation === generation) return known.of;
    const of = remembered(daemonPlacement(daemonSet));
    this.#known.set(uid, { generation, of });
    return of;
  }

  /** Removes a deleted daemon set. */
  forget({ metadata: { uid = '' } }: DaemonSet): void {
    this.#known.delete(uid);
  }
}

/** Caches placements by node object. Nodes of informers never change in place. */
function remembered(place: (node: Node) => Placement): (node: Node) => Placement {
  const known = new WeakMap<Node, Placement>();
  return (node) => {
    let placement = known.get(node);
    if (placement === undefined) {
      placement = place(node);
      known.set(node, placement);
    }
    return placement;
  };
}
