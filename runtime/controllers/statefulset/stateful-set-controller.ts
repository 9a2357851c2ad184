import type { StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PersistentVolumeClaim, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/label-selector.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { byController, orphansOf } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import type { SyncResult } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { claimObjects, newControllerRef } from '../controller-ref-manager.ts';
import { enqueueControllers } from '../enqueue-controllers.ts';
import { ControllerHistory } from '../history/controller-history.ts';
import { isPodStateChanged, nextAvailabilityCheck } from '../pod-control/pod-states.ts';
import { StatefulPodControl } from './stateful-pod-control.ts';
import { StatefulSetControl } from './stateful-set-control.ts';
import { isMemberOf, setReference } from './stateful-set-utils.ts';

const name = 'statefulset-controller';
const resources = {
  sets: { group: 'apps', version: 'v1', resource: 'statefulsets' },
  pods: { group: '', version: 'v1', resource: 'pods' },
  claims: { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
} as const;

/** Creates the pods and claims of stateful sets. (pkg/controller/statefulset) */
export function statefulSetController(context: WorkloadContext): Controller {
  return new QueueController({
    context,
    name,
    async open(queue) {
      const reconciler = await StatefulSetReconciler.open(context);
      reconciler.sets.addEventHandler({
        onAdd: (set) => queue.addObject(set),
        onUpdate: (_before, set) => queue.addObject(set),
      });
      enqueueControllers(reconciler.pods, {
        kind: setReference.kind,
        owners: reconciler.sets,
        queue,
        selectorOf: ({ spec }) => spec?.selector,
        matters: isPodStateChanged,
      });
      return (key) => reconciler.sync(key);
    },
  });
}

interface Parts {
  readonly context: WorkloadContext;
  readonly sets: SharedInformer<StatefulSet>;
  readonly setClient: LoopbackClient<StatefulSet>;
  readonly pods: SharedInformer<Pod>;
  readonly podClient: LoopbackClient<Pod>;
  readonly history: ControllerHistory;
  readonly control: StatefulSetControl;
}

class StatefulSetReconciler {
  readonly sets: SharedInformer<StatefulSet>;
  readonly pods: SharedInformer<Pod>;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.sets = parts.sets;
    this.pods = parts.pods;
    this.#parts = parts;
  }

  static async open(context: WorkloadContext): Promise<StatefulSetReconciler> {
    const { stores, informers, features } = context;
    const writer = writerOfController(name);
    const recorder = new EventRecorder(stores, name, writer);
    const podClient = await LoopbackClient.open<Pod>(stores, resources.pods, writer);
    const setClient = await LoopbackClient.open<StatefulSet>(stores, resources.sets, writer);
    const claims = await LoopbackClient.open<PersistentVolumeClaim>(stores, resources.claims, writer);
    const knownClaims = await informers.of<PersistentVolumeClaim>(resources.claims);
    const history = await ControllerHistory.open(context, writer);
    const podControl = new StatefulPodControl({ pods: podClient, claims, knownClaims, recorder });
    return new StatefulSetReconciler({
      context,
      setClient,
      podClient,
      history,
      sets: await informers.of<StatefulSet>(resources.sets),
      pods: await informers.of<Pod>(resources.pods),
      control: new StatefulSetControl({ sets: setClient, history, podControl, features }),
    });
  }

  async sync({ namespace, name }: ObjectKey): Promise<SyncResult> {
    const { control, history, context } = this.#parts;
    const set = this.sets.get(namespace, name);
    if (set === undefined) return 'done';
    const selector = labelSelectorFromObject(set.spec?.selector);
    const claiming = {
      controller: set,
      controllerRef: newControllerRef(set, setReference),
      current: () => this.#parts.setClient.get(namespace, name),
    };
    await claimObjects(history.list(set, selector), { ...claiming, objects: history.client, matches: () => true });
    const pods = await claimObjects(this.#candidates(set), {
      ...claiming,
      objects: this.#parts.podClient,
      matches: (pod) => selector.matches(pod.metadata.labels) && isMemberOf(set, pod),
    });
    // one time for the status and for the delay until the next sync
    const now = context.stores.clock.now();
    const status = await control.updateStatefulSet(set, selector, pods, now);
    const { minReadySeconds = 0 } = set.spec ?? {};
    if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return 'done';
    return nextAvailabilityCheck(pods, minReadySeconds, now) ?? minReadySeconds * 1000;
  }

  /** Yields the pods of the set, and the orphans of its namespace. */
  *#candidates({ metadata: { uid = '', namespace = '' } }: StatefulSet): Iterable<Pod> {
    const owners = this.pods.index(byController);
    yield* owners.of(uid);
    yield* owners.of(orphansOf(namespace));
  }
}
