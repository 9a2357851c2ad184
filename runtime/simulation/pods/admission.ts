import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isExtendedResourceName } from '../../kinds/core/resource-list.ts';
import { requiredNodeAffinity } from '../../kinds/core/scheduling/node-affinity.ts';
import { findUntoleratedTaint } from '../../kinds/core/scheduling/taints.ts';
import { HostPortInfo } from '../scheduler/framework/host-ports.ts';
import { NodeInfo } from '../scheduler/framework/node-info.ts';
import { newPodInfo, type PodInfo } from '../scheduler/framework/pod-info.ts';
import { wrongAffinity } from '../scheduler/plugins/node-affinity.ts';
import { usedPorts } from '../scheduler/plugins/node-ports.ts';
import { insufficientResources } from '../scheduler/plugins/node-resources.ts';

/** A kubelet's reason for rejecting a pod. */
export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

const defaultScheduler = 'default-scheduler';

/** Reports whether the default scheduler has placed the pod, and so has checked the node. */
export function isPlaced({ spec, status }: Pod): boolean {
  const isScheduled = status?.conditions?.some((one) => one.type === 'PodScheduled' && one.status === 'True') ?? false;
  return isScheduled && (spec?.schedulerName ?? defaultScheduler) === defaultScheduler;
}

/** Returns undefined if the node accepts the pod besides its other pods. (pkg/kubelet/lifecycle/predicate.go) */
export function rejectionOf(pod: Pod, node: Node, others: Iterable<Pod>): Rejection | undefined {
  return wrongSystem(pod) ?? lackOfResources(pod, node, others) ?? failedPredicate(pod, node, others);
}

/**
 * Rejects pods for other systems: simulated nodes run Linux. (rejectPodAdmissionBasedOnOSSelector,
 * rejectPodAdmissionBasedOnOSField)
 */
function wrongSystem({ metadata, spec }: Pod): Rejection | undefined {
  const label = metadata.labels?.['kubernetes.io/os'];
  if (label !== undefined && label !== 'linux') {
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  }
  if (!spec?.os || spec.os.name === 'linux') return undefined;
  return { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
}

function lackOfResources(pod: Pod, node: Node, others: Iterable<Pod>): Rejection | undefined {
  // the resources of the node are unknown
  if (Object.keys(node.status?.allocatable ?? {}).length === 0) return undefined;
  const info = new NodeInfo(node.metadata.name ?? '');
  info.setNode(node);
  for (const other of others) info.addPod(podInfoOf(other));
  const [first] = insufficientResources(knownRequests(podInfoOf(pod), info), info);
  if (first === undefined) return undefined;
  const { resource, wanted, used, capacity } = first;
  const amounts = `requested: ${wanted}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${amounts}` };
}

/** Computed once per pod: informers' pods never change, and every later pod of the node needs them again. */
const podInfos = new WeakMap<Pod, PodInfo>();

function podInfoOf(pod: Pod): PodInfo {
  let info = podInfos.get(pod);
  if (info === undefined) {
    info = newPodInfo(pod);
    podInfos.set(pod, info);
  }
  return info;
}

/** Removes extended resources that the node does not have. (removeMissingExtendedResources) */
function knownRequests({ requests }: PodInfo, { allocatable }: NodeInfo): PodInfo['requests'] {
  const isKnown = (name: string): boolean => !isExtendedResourceName(name) || allocatable.scalarResources.has(name);
  return { ...requests, scalarResources: new Map([...requests.scalarResources].filter(([name]) => isKnown(name))) };
}

/** (scheduler.AdmissionCheck, generalFilter) */
function failedPredicate(pod: Pod, node: Node, others: Iterable<Pod>): Rejection | undefined {
  const failed = (reason: string, why: string): Rejection => ({
    reason,
    message: `Predicate ${reason} failed: ${why}`,
  });
  if (!requiredNodeAffinity(pod)(node)) return failed('NodeAffinity', wrongAffinity);
  if (hasPortConflict(pod, others)) return failed('NodePorts', usedPorts);
  const isEvicted = findUntoleratedTaint(node.spec?.taints, pod.spec?.tolerations, ({ effect }) => effect === 'NoExecute');
  return isEvicted && failed('TaintToleration', "node(s) had taints that the pod didn't tolerate");
}

function hasPortConflict(pod: Pod, others: Iterable<Pod>): boolean {
  const { hostPorts: ports } = podInfoOf(pod);
  if (ports.length === 0) return false;
  const used = new HostPortInfo();
  for (const other of others) for (const port of podInfoOf(other).hostPorts) used.add(port);
  return ports.some((port) => used.conflictsWith(port));
}
