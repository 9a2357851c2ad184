import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { isSidecar } from './phase.ts';
import { isResizeCondition } from './resize.ts';

/* The pod conditions that a kubelet owns. (pkg/kubelet/status/generate.go) */

type NewCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;
type Statuses = ReadonlyMap<string, ContainerStatus>;

const owned: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized', 'ContainersReady', 'PodReadyToStartContainers']);

export interface PodView {
  readonly pod: Pod;
  /** Statuses of init containers and containers, by name. */
  readonly statuses: Statuses;
  readonly phase: string;
  readonly hasSandbox: boolean;
  /** Conditions about the pod's resize. Default: none. */
  readonly resize?: readonly PodCondition[] | undefined;
}

/** Returns all conditions of the pod: others' unchanged, and then the kubelet's. */
export function podConditions(view: PodView, now: number): PodCondition[] {
  const { pod, resize = [] } = view;
  const old = pod.status?.conditions ?? [];
  const others = old.filter(({ type }) => !owned.has(type) && !isResizeCondition(type));
  const containersReady = containersReadyCondition(view);
  const conditions: NewCondition[] = [
    { type: 'PodReadyToStartContainers', status: statusOf(view.hasSandbox) },
    initializedCondition(view),
    readyCondition(pod, containersReady, others),
    containersReady,
    { type: 'PodScheduled', status: 'True' },
  ];
  return [...others, ...resize, ...conditions.map((condition) => updated(condition, pod, now))];
}

function updated(condition: NewCondition, { metadata, status }: Pod, now: number): PodCondition {
  const old = status?.conditions?.find(({ type }) => type === condition.type);
  const isSame = old?.status === condition.status && old.lastTransitionTime;
  return {
    ...condition,
    ...(metadata.generation ? { observedGeneration: metadata.generation } : {}),
    lastProbeTime: null,
    lastTransitionTime: (isSame && old.lastTransitionTime) || timeText(now),
  };
}

function initializedCondition({ pod, statuses, phase }: PodView): NewCondition {
  const type = 'Initialized';
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const unknown = initContainers.filter(({ name }) => !statuses.has(name));
  const incomplete = initContainers.filter((container) => {
    const status = statuses.get(container.name);
    return status !== undefined && !(isSidecar(container) ? status.started : status.ready);
  });
  if (phase === 'Succeeded' && unknown.length === 0) return { type, status: 'True', reason: 'PodCompleted' };
  const anyStarted = containers.some(({ name }) => {
    const status = statuses.get(name);
    return status?.state?.running || status?.state?.terminated || status?.lastState?.terminated;
  });
  const message = messageOf(unknown, incomplete, 'incomplete');
  if (anyStarted || message === '') return { type, status: 'True' };
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReadyCondition({ pod, statuses, phase }: PodView): NewCondition {
  const type = 'ContainersReady';
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const counted = [...initContainers.filter(isSidecar), ...containers];
  const unknown = counted.filter(({ name }) => !statuses.has(name));
  const unready = counted.filter(({ name }) => statuses.get(name)?.ready === false);
  if (phase === 'Succeeded' && unknown.length === 0) return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const message = messageOf(unknown, unready, 'unready');
  return message === '' ? { type, status: 'True' } : { type, status: 'False', reason: 'ContainersNotReady', message };
}

function readyCondition({ spec }: Pod, containersReady: NewCondition, others: readonly PodCondition[]): NewCondition {
  const type = 'Ready';
  if (containersReady.status !== 'True') return { ...containersReady, type };
  const messages: string[] = [];
  for (const { conditionType } of spec?.readinessGates ?? []) {
    const condition = others.find((one) => one.type === conditionType);
    if (condition === undefined) {
      messages.push(`corresponding condition of pod readiness gate ${quote(conditionType)} does not exist.`);
    } else if (condition.status !== 'True') {
      const gate = quote(conditionType);
      messages.push(`the status of pod readiness gate ${gate} is not "True", but ${condition.status}`);
    }
  }
  if (messages.length === 0) return { type, status: 'True' };
  return { type, status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

type Named = readonly { readonly name: string }[];

function messageOf(unknown: Named, others: Named, what: string): string {
  const messages: string[] = [];
  if (unknown.length > 0) messages.push(`containers with unknown status: ${namesOf(unknown)}`);
  if (others.length > 0) messages.push(`containers with ${what} status: ${namesOf(others)}`);
  return messages.join(', ');
}

/** Formats names like a Go slice. */
const namesOf = (containers: Named): string => `[${containers.map(({ name }) => name).join(' ')}]`;

const statusOf = (value: boolean): 'True' | 'False' => (value ? 'True' : 'False');

export const isReadyToStartContainers = ({ conditions }: PodStatus): boolean =>
  conditions?.some(({ type, status }) => type === 'PodReadyToStartContainers' && status === 'True') ?? false;
