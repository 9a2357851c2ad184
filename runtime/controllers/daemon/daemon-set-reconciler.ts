import type { ControllerRevision, DaemonSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import { byController, orphansOf } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { ObjectQueue } from '../../reconcile/queue-controller.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { claimObjects, newControllerRef } from '../controller-ref-manager.ts';
import { ControllerHistory } from '../history/controller-history.ts';
import { isNamespaceTerminating, PodControl, podFromTemplate, slowStartBatch } from '../pod-control/pod-control.ts';
import { nextAvailabilityCheck } from '../pod-control/pod-states.ts';
import { type DaemonWork, type EndedPods, managedPods, type PodChanges, podsByNode } from './daemon-pods.ts';
import { DaemonSetHistory } from './daemon-set-history.ts';
import { daemonCounts, isStatusOutdated, withCounts } from './daemon-set-status.ts';
import { createPodTemplate, hashLabel, setReference, withNodeNameAffinity } from './daemon-set-util.ts';
import { FailedPodsBackoff } from './failed-pods-backoff.ts';
import { Placements } from './node-placement.ts';
import { rollingUpdate } from './rolling-update.ts';

const name = 'daemonset-controller';
/** The maximum number of pods created or deleted in one sync. */
const burstReplicas = 250;
const resources = {
  daemonSets: { group: 'apps', version: 'v1', resource: 'daemonsets' },
  pods: { group: '', version: 'v1', resource: 'pods' },
  nodes: { group: '', version: 'v1', resource: 'nodes' },
} as const;

interface Parts {
  readonly context: WorkloadContext;
  readonly queue: ObjectQueue;
  readonly daemonSets: SharedInformer<DaemonSet>;
  readonly pods: SharedInformer<Pod>;
  readonly nodes: SharedInformer<Node>;
  readonly history: ControllerHistory;
  readonly client: LoopbackClient<DaemonSet>;
  readonly podClient: LoopbackClient<Pod>;
  readonly recorder: EventRecorder;
}

/** Reconciles daemon sets and their pods. (pkg/controller/daemon/daemon_controller.go) */
export class DaemonSetReconciler {
  readonly daemonSets: SharedInformer<DaemonSet>;
  readonly pods: SharedInformer<Pod>;
  readonly nodes: SharedInformer<Node>;
  readonly history: ControllerHistory;
  readonly placements = new Placements();
  readonly #parts: Parts;
  readonly #podControl: PodControl;
  readonly #revisions: DaemonSetHistory;
  readonly #backoff: FailedPodsBackoff;

  private constructor(parts: Parts) {
    const { daemonSets, pods, nodes, history, client, podClient, recorder } = parts;
    this.daemonSets = daemonSets;
    this.pods = pods;
    this.nodes = nodes;
    this.history = history;
    this.#parts = parts;
    this.#podControl = new PodControl(podClient, recorder);
    this.#revisions = new DaemonSetHistory({ history, daemonSets: client, pods: podClient });
    this.#backoff = new FailedPodsBackoff(parts.context.stores.clock);
  }

  static async open(context: WorkloadContext, queue: ObjectQueue): Promise<DaemonSetReconciler> {
    const { stores, informers } = context;
    const writer = writerOfController('daemon-set-controller');
    return new DaemonSetReconciler({
      context,
      queue,
      daemonSets: await informers.of<DaemonSet>(resources.daemonSets),
      pods: await informers.of<Pod>(resources.pods),
      nodes: await informers.of<Node>(resources.nodes),
      history: await ControllerHistory.open(context, writer),
      client: await LoopbackClient.open<DaemonSet>(stores, resources.daemonSets, writer),
      podClient: await LoopbackClient.open<Pod>(stores, resources.pods, writer),
      recorder: new EventRecorder(stores, name, writer),
    });
  }

  /** (syncDaemonSet) */
  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const daemonSet = this.daemonSets.get(namespace, name);
    if (daemonSet === undefined || daemonSet.metadata.deletionTimestamp) return 'done';
    const selector = labelSelectorFromObject(daemonSet.spec?.selector);
    if (selector.isEmpty) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#parts.recorder.event(referenceTo(daemonSet), { type: 'Warning', reason: 'SelectingAll', message });
      return 'done';
    }
    const { pods, revisions } = await this.#claim(daemonSet, selector);
    const { current, old } = await this.#revisions.construct(daemonSet, revisions, pods);
    const work: DaemonWork = {
      daemonSet,
      hash: current.metadata.labels?.[hashLabel] ?? '',
      nodes: [...this.nodes.list()],
      placementOn: this.placements.of(daemonSet),
      now: this.#parts.context.stores.clock.now(),
    };
    try {
      await this.#syncNodes(work, managedPods(work, podsByNode(pods), this.#endedPods(daemonSet)));
      if (daemonSet.spec?.updateStrategy?.type === 'RollingUpdate')
        await this.#syncNodes(work, rollingUpdate(work, podsByNode(this.#owned(daemonSet))));
      await this.#revisions.cleanup(daemonSet, old, this.#owned(daemonSet));
    } catch (error) {
      await this.#updateStatus(work);
      throw error;
    }
    return this.#updateStatus(work);
  }

  async #claim(daemonSet: DaemonSet, selector: LabelSelector) {
    const { namespace = '', name = '', uid = '' } = daemonSet.metadata;
    const claiming = {
      controller: daemonSet,
      controllerRef: newControllerRef(daemonSet, setReference),
      current: () => this.#parts.client.get(namespace, name),
      matches: ({ metadata }: KubeObject) => selector.matches(metadata.labels),
    };
    const owners = this.pods.index(byController);
    const candidates = [...owners.of(uid), ...owners.of(orphansOf(namespace))];
    return {
      revisions: await claimObjects<ControllerRevision>(this.history.candidates(namespace, uid), {
        ...claiming,
        objects: this.history.client,
      }),
      pods: await claimObjects(candidates, { ...claiming, objects: this.#parts.podClient }),
    };
  }

  /** Returns the pods that the daemon set controls. */
  #owned({ metadata: { uid = '' } }: DaemonSet): Iterable<Pod> {
    return this.pods.index(byController).of(uid);
  }

  #endedPods(daemonSet: DaemonSet): EndedPods {
    const { namespace = '', name = '', uid } = daemonSet.metadata;
    const recordEvent = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
      this.#parts.recorder.event(referenceTo(daemonSet), { type, reason, message });
    return {
      mayDeleteFailed: ({ metadata }, node) => {
        // the backoff limits new pods for a kubelet that rejects them
        const key = `${uid}/${daemonSet.status?.observedGeneration ?? 0}/${node}`;
        const wait = this.#backoff.waitOf(key);
        if (wait !== undefined) {
          this.#parts.queue.addAfter({ namespace, name }, wait);
          return false;
        }
        this.#backoff.next(key);
        const pod = `${metadata.namespace}/${metadata.name}`;
        recordEvent('Warning', 'FailedDaemonPod', `Found failed daemon pod ${pod} on node ${node}, will try to kill it`);
        return true;
      },
      onSucceeded: ({ metadata }, node) => {
        const pod = `${metadata.namespace}/${metadata.name}`;
        recordEvent('Normal', 'SucceededDaemonPod', `Found succeeded daemon pod ${pod} on node ${node}, will try to delete it`);
      },
    };
  }

  /** Creates and deletes pods. (syncNodes) @throws the first error, after everything has been tried */
  async #syncNodes({ daemonSet, hash }: DaemonWork, { nodesNeedingPods, podsToDelete }: PodChanges): Promise<void> {
    const created = await this.#create(daemonSet, hash, nodesNeedingPods.slice(0, burstReplicas));
    const deletions = podsToDelete.slice(0, burstReplicas).map((pod) => this.#podControl.delete(pod, daemonSet));
    const errors = [created.error];
    for (const outcome of await Promise.allSettled(deletions))
      if (outcome.status === 'rejected' && !hasStatusCode(outcome.reason, 404)) errors.push(outcome.reason);
    const error = errors.find((one) => one !== undefined);
    if (error !== undefined) throw error;
  }

  async #create(daemonSet: DaemonSet, hash: string, nodes: readonly string[]): Promise<{ readonly error?: unknown }> {
    if (nodes.length === 0) return {};
    const template = createPodTemplate(daemonSet, hash);
    const controllerRef = newControllerRef(daemonSet, setReference);
    return slowStartBatch(nodes.length, async (index) => {
      const pod = podFromTemplate(template, daemonSet.metadata.name ?? '', controllerRef);
      pod.spec.affinity = withNodeNameAffinity(pod.spec.affinity, nodes[index] ?? '');
      try {
        await this.#podControl.create(pod, daemonSet);
      } catch (error) {
        // a terminating namespace accepts no new objects
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
  }

  /** @returns when to sync again: when a ready pod becomes available */
  async #updateStatus(work: DaemonWork): Promise<SyncResult> {
    const { daemonSet, now } = work;
    const { namespace = '', name = '', generation } = daemonSet.metadata;
    const pods = [...this.#owned(daemonSet)];
    const counts = daemonCounts(work, podsByNode(pods));
    if (isStatusOutdated(daemonSet, counts)) {
      const change = (current: DaemonSet): DaemonSet => ({
        ...current,
        status: withCounts(current, counts, generation),
      });
      await this.#parts.client.change({ namespace, name }, change, 'status');
    }
    const { minReadySeconds = 0 } = daemonSet.spec ?? {};
    if (minReadySeconds === 0) return 'done';
    return nextAvailabilityCheck(pods, minReadySeconds, now) ?? 'done';
  }
}
