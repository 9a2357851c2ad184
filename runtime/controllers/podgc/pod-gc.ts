import type { Node, Pod, PodCondition } from '../../../generated/v1.35/core/v1/types.ts';
import { updatePodCondition } from '../../kinds/core/pod/conditions.ts';
import type { Clock } from '../../machinery/clock.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { eachInSlices } from '../../machinery/event-loop/each-in-slices.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { defined } from '../../machinery/json/defined.ts';
import { byNode } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { isPodTerminal } from '../pod-control/pod-states.ts';

/** Milliseconds for which a node must be missing before its pods are deleted. (quarantineTime) */
const quarantineTime = 40_000;
const outOfServiceTaint = 'node.kubernetes.io/out-of-service';

export interface PodGCOptions {
  readonly clock: Clock;
  readonly pods: SharedInformer<Pod>;
  readonly nodes: SharedInformer<Node>;
  readonly client: LoopbackClient<Pod>;
  /** Number of ended pods that are kept. */
  readonly threshold: number;
  /** Receives the error of each failed deletion. */
  report(error: unknown): void;
}

type FailureCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

const nodeIsGone: FailureCondition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
};

/** (pkg/controller/podgc/gc_controller.go PodGCController) */
export class PodGC {
  readonly #options: PodGCOptions;
  /** Missing nodes that pods refer to, with the time of their next check. */
  readonly #quarantine = new Map<string, number>();

  constructor(options: PodGCOptions) {
    this.#options = options;
  }

  /**
   * Deletes ended pods above the threshold, terminating pods without a node or on an out-of-service node, and the pods
   * of deleted nodes.
   */
  async collect(): Promise<void> {
    const slice = new TimeSlice();
    const ended: Pod[] = [];
    const terminating: Pod[] = [];
    for (const pod of this.#options.pods.list()) {
      if (slice.isOver) await slice.next();
      if (isPodTerminal(pod)) ended.push(pod);
      if (pod.metadata.deletionTimestamp && this.#nobodyDeletes(pod)) terminating.push(pod);
    }
    const excess = Math.max(0, ended.length - this.#options.threshold);
    if (excess > 0) await this.#delete(ended.sort(byEvictionAndCreation).slice(0, excess));
    await this.#delete(terminating.sort(byEvictionAndCreation));
    for (const node of this.#deletedNodes()) await this.#delete(this.#podsOf(node), nodeIsGone);
  }

  /**
   * Reports whether the pod has no node, or an unready node with the out-of-service taint. (gcTerminating,
   * gcUnscheduledTerminating)
   */
  #nobodyDeletes({ spec }: Pod): boolean {
    if (!spec?.nodeName) return true;
    const node = this.#options.nodes.get('', spec.nodeName);
    if (node === undefined) return false;
    const isReady = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    return !isReady && (node.spec?.taints?.some(({ key }) => key === outOfServiceTaint) ?? false);
  }

  /** Returns the nodes that are still missing after the quarantine. (discoverDeletedNodes) */
  #deletedNodes(): string[] {
    const { clock, nodes, pods } = this.#options;
    const now = clock.now();
    const isGone = (node: string): boolean => nodes.get('', node) === undefined;
    for (const node of pods.index(byNode).keys())
      if (isGone(node) && !this.#quarantine.has(node)) this.#quarantine.set(node, now + quarantineTime);
    const due = [...this.#quarantine].filter(([, time]) => time <= now).map(([node]) => node);
    for (const node of due) this.#quarantine.delete(node);
    return due.filter(isGone);
  }

  #podsOf(node: string): Pod[] {
    return [...this.#options.pods.index(byNode).of(node)];
  }

  async #delete(pods: readonly Pod[], condition?: FailureCondition): Promise<void> {
    const errors = await eachInSlices(pods, (pod) => this.#markFailedAndDelete(pod, condition));
    for (const error of errors) this.#options.report(error);
  }

  /**
   * Marks an active pod as failed before its deletion, so that its owner sees the failure.
   * (markFailedAndDeletePodWithCondition)
   */
  async #markFailedAndDelete(pod: Pod, condition?: FailureCondition): Promise<void> {
    const { client, clock } = this.#options;
    const { namespace = '', name = '', uid } = pod.metadata;
    try {
      if (!isPodTerminal(pod)) {
        const fail = (current: Pod): Pod => {
          if (current.metadata.uid !== uid) return current;
          const { generation: observedGeneration } = current.metadata;
          const status = defined({ ...current.status, phase: 'Failed', observedGeneration });
          if (condition) updatePodCondition(status, { ...condition, ...defined({ observedGeneration }) }, clock.now());
          return { ...current, status };
        };
        await client.modify({ namespace, name }, fail, 'status');
      }
      await client.delete(namespace, name, defined({ uid, gracePeriodSeconds: 0 }));
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
  }
}

/** Sorts evicted pods first, then the oldest. (byEvictionAndCreationTimestamp) */
function byEvictionAndCreation(a: Pod, b: Pod): number {
  const createdAt = ({ metadata }: Pod): number => Date.parse(metadata.creationTimestamp ?? '');
  const byName = (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
  return Number(isEvicted(b)) - Number(isEvicted(a)) || createdAt(a) - createdAt(b) || byName;
}

const isEvicted = ({ status }: Pod): boolean => status?.phase === 'Failed' && status.reason === 'Evicted';
