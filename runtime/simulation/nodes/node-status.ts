import { createHash } from 'node:crypto';
import type { Node, NodeCondition, NodeStatus } from '../../../generated/v1.35/core/v1/types.ts';
import { timeText } from '../../machinery/scalars/time.ts';

/* The node status that a simulated kubelet reports. (pkg/kubelet/nodestatus/setters.go) */

/** The release of the simulated kubelets. */
export const kubeletVersion = 'v1.35.0';
const kubeletPort = 10250;

const conditions: readonly Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
];

/** The conditions of a healthy node, under their name in templates of Stages. */
export const nodeConditions = conditions;

/** Returns the labels that every kubelet gives its node. */
export function nodeLabels(name: string): Record<string, string> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  };
}

export const instanceTypeLabel = 'node.kubernetes.io/instance-type';

export interface NodeFacts {
  readonly capacity: Readonly<Record<string, string>>;
  readonly address: string;
}

/** Returns the status of a healthy node. Keeps the stored capacity, addresses and system. */
export function readyStatus({ metadata, status = {} }: Node, { capacity, address }: NodeFacts, now: number): NodeStatus {
  const name = metadata.name ?? '';
  const given = status.capacity && Object.keys(status.capacity).length > 0 ? status.capacity : { ...capacity };
  const kept = status.allocatable && Object.keys(status.allocatable).length > 0 ? status.allocatable : given;
  return {
    ...status,
    capacity: given,
    allocatable: kept,
    conditions: heartbeat(status.conditions, now),
    addresses: status.addresses?.length ? status.addresses : addressesOf(name, address),
    daemonEndpoints: { kubeletEndpoint: { Port: status.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort } },
    nodeInfo: { ...systemInfo(metadata.uid || name), ...filledIn(status.nodeInfo) },
  };
}

/** Returns all conditions of the node. Conditions of other writers stay unchanged. */
export function heartbeat(given: readonly NodeCondition[] = [], now: number): NodeCondition[] {
  const time = timeText(now);
  const own = conditions.map((condition) => {
    const old = given.find(({ type }) => type === condition.type);
    const isSame = old?.status === condition.status && old.lastTransitionTime;
    const lastTransitionTime = (isSame && old.lastTransitionTime) || time;
    return { ...condition, lastHeartbeatTime: time, lastTransitionTime };
  });
  return [...given.filter(({ type }) => !own.some((one) => one.type === type)), ...own];
}

/** Reports whether a node has the conditions of a healthy node, whatever their times. */
export const isWell = ({ status }: Node): boolean =>
  conditions.every((wanted) => {
    const { status: value, reason } = status?.conditions?.find(({ type }) => type === wanted.type) ?? {};
    return value === wanted.status && reason === wanted.reason;
  });

const addressesOf = (name: string, address: string) => [
  { type: 'InternalIP', address },
  { type: 'Hostname', address: name },
];

function systemInfo(seed: string): NonNullable<NodeStatus['nodeInfo']> {
  const id = createHash('sha256').update(seed).digest('hex').slice(0, 32);
  const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return {
    architecture: 'amd64',
    bootID: dashed,
    containerRuntimeVersion: 'containerd://2.1.5',
    kernelVersion: '6.12.0-simulated',
    kubeProxyVersion: '',
    kubeletVersion,
    machineID: id,
    operatingSystem: 'linux',
    osImage: 'Kubeloom simulation',
    systemUUID: dashed,
  };
}

const filledIn = (info: NodeStatus['nodeInfo']): Partial<NodeStatus['nodeInfo']> =>
  Object.fromEntries(Object.entries(info ?? {}).filter(([, value]) => value !== '' && value !== undefined));
