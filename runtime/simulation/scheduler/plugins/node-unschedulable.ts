import type { Node } from '../../../../generated/v1.35/core/v1/types.ts';
import { tolerationsTolerateTaint } from '../../../kinds/core/scheduling/taints.ts';
import type { EventObjects } from '../framework/cluster-event.ts';
import type { FilterPlugin, PodFilter } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { unresolvable } from '../framework/status.ts';

const name = 'NodeUnschedulable';
const unschedulableTaint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const status = unresolvable(name, 'node(s) were unschedulable');
const filter: PodFilter = { filter: ({ node }) => (node?.spec?.unschedulable ? status : undefined) };

function becameSchedulable(_: PodInfo, { before, after }: EventObjects): boolean {
  return (!before || (before as Node).spec?.unschedulable === true) && !(after as Node).spec?.unschedulable;
}

/** Rejects cordoned nodes. (plugins/nodeunschedulable) */
export const nodeUnschedulable: FilterPlugin = {
  name,
  hints: { NodeAdd: becameSchedulable, NodeTaint: becameSchedulable },
  preFilter: ({ pod }) => (tolerationsTolerateTaint(pod.spec?.tolerations, unschedulableTaint) ? undefined : filter),
};
