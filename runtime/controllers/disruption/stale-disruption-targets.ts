import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { updatePodCondition } from '../../kinds/core/pod/conditions.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { isPodTerminal, podCondition } from '../pod-control/pod-states.ts';

/** Milliseconds after which a pod with the condition that is not being deleted counts as stale. */
const stalePodDisruptionTimeout = 120_000;

export interface StaleDisruptionTargetsOptions {
  readonly clock: Clock;
  readonly pods: SharedInformer<Pod>;
  readonly client: LoopbackClient<Pod>;
  report(error: unknown): void;
}

/** Resets the condition DisruptionTarget to False on pods that are not deleted. (syncStalePodDisruption) */
export class StaleDisruptionTargets {
  readonly #options: StaleDisruptionTargetsOptions;
  readonly #queue: WorkQueue<ObjectKey>;

  constructor(options: StaleDisruptionTargetsOptions) {
    const { clock, report } = options;
    this.#options = options;
    const keyOf = ({ namespace, name }: ObjectKey): string => `${namespace}/${name}`;
    this.#queue = new WorkQueue({ clock, concurrency: 1, keyOf, work: (key) => this.#sync(key), report });
  }

  /** Starts a timer if the pod has the condition. */
  watch(pod: Pod): void {
    const wait = this.#untilStale(pod);
    const { namespace = '', name = '' } = pod.metadata;
    if (wait !== undefined) this.#queue.addAfter({ namespace, name }, wait);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #sync(key: ObjectKey): Promise<SyncResult> {
    const { pods, client, clock } = this.#options;
    const pod = pods.get(key.namespace, key.name);
    const wait = pod && this.#untilStale(pod);
    if (pod === undefined || wait === undefined) return 'done';
    if (wait > 0) return wait;
    const status = { ...pod.status };
    updatePodCondition(status, { type: 'DisruptionTarget', status: 'False' }, clock.now());
    await client.update({ ...pod, status }, 'status');
    return 'done';
  }

  /** Returns milliseconds; undefined if the pod lacks the condition, or if a kubelet has set it. */
  #untilStale(pod: Pod): number | undefined {
    const condition = podCondition(pod, 'DisruptionTarget');
    if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
    if (pod.metadata.deletionTimestamp || isPodTerminal(pod)) return undefined;
    const since = Date.parse(condition.lastTransitionTime ?? '');
    return Math.max(0, since + stalePodDisruptionTimeout - this.#options.clock.now());
  }
}
