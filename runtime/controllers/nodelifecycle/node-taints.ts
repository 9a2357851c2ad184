import type { Node, NodeCondition, Taint } from '../../../generated/v1.35/core/v1/types.ts';
import { timeText } from '../../machinery/scalars/time.ts';

type NewTaint = Pick<Taint, 'key' | 'effect'>;

export const unreachableTaint: NewTaint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
export const notReadyTaint: NewTaint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };

const unschedulable = 'node.kubernetes.io/unschedulable';

/** Taint keys by the type and status of conditions. (nodeConditionToTaintKeyStatusMap) */
const keysOfConditions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: notReadyTaint.key, Unknown: unreachableTaint.key },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};

const managedKeys = new Set([unschedulable, ...Object.values(keysOfConditions).flatMap((keys) => Object.values(keys))]);

const matches =
  (taint: NewTaint) =>
  ({ key, effect }: NewTaint): boolean =>
    key === taint.key && effect === taint.effect;

export const hasTaint = ({ spec }: Node, taint: NewTaint): boolean => spec?.taints?.some(matches(taint)) ?? false;

/** The taints to add to and to remove from a node. */
export interface TaintChange {
  readonly add: readonly NewTaint[];
  readonly remove: readonly NewTaint[];
}

/**
 * Returns the change to the NoSchedule taints that a node's conditions require; undefined for none.
 * (doNoScheduleTaintingPass)
 */
export function noScheduleChange({ spec, status }: Node): TaintChange | undefined {
  const wanted: string[] = [];
  for (const { type, status: value } of status?.conditions ?? []) {
    const key = keysOfConditions[type]?.[value];
    if (key !== undefined) wanted.push(key);
  }
  if (spec?.unschedulable) wanted.push(unschedulable);
  const present = (spec?.taints ?? []).filter(({ key, effect }) => effect === 'NoSchedule' && managedKeys.has(key));
  const add = wanted.filter((key) => !present.some((taint) => taint.key === key));
  const remove = present.filter(({ key }) => !wanted.includes(key));
  if (add.length === 0 && remove.length === 0) return undefined;
  return { add: add.map((key) => ({ key, effect: 'NoSchedule' })), remove };
}

/**
 * Returns the change to the NoExecute taints: either "unreachable" or "not ready". Undefined if the node is ready.
 * (doNoExecuteTaintingPass)
 */
export function noExecuteChange({ status }: Pick<NodeCondition, 'status'>): TaintChange | undefined {
  if (status === 'False') return { add: [notReadyTaint], remove: [unreachableTaint] };
  if (status === 'Unknown') return { add: [unreachableTaint], remove: [notReadyTaint] };
  return undefined;
}

/** Returns the node with the change. (controller.AddOrUpdateTaintOnNode, RemoveTaintOffNode) */
export function withTaints(node: Node, { add, remove }: TaintChange, now: number): Node {
  const timeAdded = timeText(now);
  const gone = [...add, ...remove];
  const kept = (node.spec?.taints ?? []).filter((taint) => !gone.some(matches(taint)));
  return { ...node, spec: { ...node.spec, taints: [...add.map((taint) => ({ ...taint, timeAdded })), ...kept] } };
}
