import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ControllerContext } from '../../controllers/controller-context.ts';
import { bindPod } from '../../kinds/core/pod/binding.ts';
import { updatePodCondition } from '../../kinds/core/pod/conditions.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defined } from '../../machinery/json/defined.ts';
import { authenticatedGroup } from '../../machinery/user-info.ts';
import { referenceTo } from '../../reconcile/events/recorded-event.ts';
import { SeriesRecorder } from '../../reconcile/events/series-recorder.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { Writer } from '../../resources/rest.ts';
import type { PodInfo } from './framework/pod-info.ts';

/** The writer with the user of kube-scheduler. */
export const schedulerWriter: Writer = {
  user: { name: 'system:kube-scheduler', uid: '', groups: [authenticatedGroup], extra: {} },
  dryRun: false,
  internal: true,
  isAdmitted: true,
  onlyAsLeader: true,
  fieldManager: 'kube-scheduler',
  warn: () => undefined,
};

const pods = { group: '', version: 'v1', resource: 'pods' };
/** Characters. (validation.NoteLengthLimit) */
const noteLengthLimit = 1024;

interface Failure {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
}

/** The scheduler's writes: bindings, conditions, events and preemption. */
export class SchedulerWrites {
  readonly #stores: ControllerContext['stores'];
  readonly #pods: LoopbackClient<Pod>;
  readonly #recorder: SeriesRecorder;

  private constructor(stores: ControllerContext['stores'], client: LoopbackClient<Pod>) {
    this.#stores = stores;
    this.#pods = client;
    this.#recorder = new SeriesRecorder(stores, 'default-scheduler', schedulerWriter);
  }

  static async open({ stores }: Pick<ControllerContext, 'stores'>): Promise<SchedulerWrites> {
    return new SchedulerWrites(stores, await LoopbackClient.open<Pod>(stores, pods, schedulerWriter));
  }

  /**
   * (plugins/defaultbinder)
   *
   * @throws StatusError 404, 409
   */
  async bind({ pod, namespace, name, uid }: PodInfo, node: string): Promise<void> {
    const binding = { metadata: { namespace, name, uid }, target: { kind: 'Node', name: node } };
    const stores = this.#stores;
    try {
      await bindPod(binding, name, { ...schedulerWriter, stores, namespace, now: stores.clock.now() });
    } catch (error) {
      throw new Error(`running Bind plugin "DefaultBinder": ${messageOf(error)}`, { cause: error });
    }
    this.#recorder.event({
      regarding: referenceTo(pod),
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      note: `Successfully assigned ${namespace}/${name} to ${node}`,
    });
  }

  /**
   * Reports the reason why a pod has no node in its status and in an event. (handleSchedulingFailure, updatePod)
   *
   * @param nominated the node that victims leave for the pod; undefined does not change the nomination
   */
  async fail(pod: Pod, { reason, message }: Failure, nominated: string | undefined): Promise<void> {
    const note = message.length > noteLengthLimit ? `${message.slice(0, noteLengthLimit - 4)} ...` : message;
    this.#failed(pod, note);
    const { status } = pod;
    const { generation } = pod.metadata;
    const known = status?.conditions?.find(({ type }) => type === 'PodScheduled');
    const isKnown = known?.status === 'False' && known.reason === reason && known.message === message;
    if (isKnown && known.observedGeneration === generation && (nominated === undefined || nominated === (status?.nominatedNodeName ?? '')))
      return;
    await this.#changeStatus(pod, (current) => {
      const condition = { type: 'PodScheduled', status: 'False', reason, message, ...defined({ observedGeneration: generation }) };
      updatePodCondition(current, condition, this.#stores.clock.now());
      if (nominated) current.nominatedNodeName = nominated;
      else if (nominated !== undefined) delete current.nominatedNodeName;
    });
  }

  /** (Evaluator.PreemptPod) */
  async preempt(victim: Pod, preemptor: Pod, node: string): Promise<void> {
    const { namespace = '', name = '', uid, generation } = victim.metadata;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
      ...defined({ observedGeneration: generation }),
    };
    await this.#changeStatus(victim, (status) => updatePodCondition(status, condition, this.#stores.clock.now()));
    await ignoreGone(this.#pods.delete(namespace, name, uid === undefined ? {} : { uid }));
    this.#recorder.event({
      regarding: referenceTo(victim),
      related: referenceTo(preemptor),
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      note: `Preempted by pod ${preemptor.metadata.uid} on node ${node}`,
    });
  }

  /** @param node "" if a more important pod gets the room (clearNominatedNodeName) */
  async setNominatedNodeName(pod: Pod, node: string): Promise<void> {
    await this.#changeStatus(pod, (status) => {
      if (node) status.nominatedNodeName = node;
      else delete status.nominatedNodeName;
    });
  }

  skipped(pod: Pod): void {
    const { namespace, name } = pod.metadata;
    this.#failed(pod, `skip schedule deleting pod: ${namespace}/${name}`);
  }

  close(): void {
    this.#recorder.close();
  }

  async #changeStatus({ metadata }: Pod, change: (status: NonNullable<Pod['status']>) => void): Promise<void> {
    const { namespace = '', name = '', uid } = metadata;
    const changed = this.#pods.change(
      { namespace, name },
      (current) => {
        if (current.metadata.uid !== uid) return current;
        current.status = { ...current.status };
        change(current.status);
        return current;
      },
      'status',
    );
    await ignoreGone(changed);
  }

  #failed(pod: Pod, note: string): void {
    const kind = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling' } as const;
    this.#recorder.event({ regarding: referenceTo(pod), ...kind, note });
  }
}

async function ignoreGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatusCode(error, 404)) throw error;
  }
}
