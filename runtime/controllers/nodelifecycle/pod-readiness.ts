import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady, updatePodCondition } from '../../kinds/core/pod/conditions.ts';
import type { Clock } from '../../machinery/clock.ts';
import { eachInSlices } from '../../machinery/event-loop/each-in-slices.ts';
import { objectKeyOf } from '../../machinery/object-key.ts';
import { type EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';

/** Marks pods on unready nodes as not ready. (pkg/controller/util/node MarkPodsNotReady) */
export class PodReadiness {
  readonly #client: LoopbackClient<Pod>;
  readonly #recorder: EventRecorder;
  readonly #clock: Clock;

  constructor(client: LoopbackClient<Pod>, recorder: EventRecorder, clock: Clock) {
    this.#client = client;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  /** @throws AggregateError with all failed writes, after all pods have been tried */
  async markNotReady(pods: readonly Pod[]): Promise<void> {
    const errors = await eachInSlices(pods.filter(isPodReady), (pod) => this.#mark(pod));
    if (errors.length > 0) throw new AggregateError(errors, 'pods of a node that is not ready could not be written');
  }

  async #mark(pod: Pod): Promise<void> {
    const change = (current: Pod): Pod => {
      const ready = current.status?.conditions?.find(({ type }) => type === 'Ready');
      if (ready?.status !== 'True') return current;
      const status = { ...current.status };
      updatePodCondition(status, { ...ready, status: 'False' }, this.#clock.now());
      return { ...current, status };
    };
    if (!(await this.#client.modifyIfPresent(objectKeyOf(pod), change, 'status'))) return;
    const message = 'Node is not ready';
    this.#recorder.event(referenceTo(pod), { type: 'Warning', reason: 'NodeNotReady', message });
  }
}
