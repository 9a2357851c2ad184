import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { updatePodCondition } from '../../kinds/core/pod/conditions.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { byNode } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { noExecuteTaints, tolerationTime } from './toleration-time.ts';

const name = 'taint-eviction-controller';
/** The controller shares the account of the node lifecycle controller. */
const serviceAccount = 'node-controller';
const pods = { group: '', version: 'v1', resource: 'pods' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };
const condition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};

/** The scheduled deletion of a pod. */
interface Eviction {
  /** Ends the wait. */
  readonly cancel: () => void;
}

interface OpenObjects {
  readonly pods: SharedInformer<Pod>;
  readonly nodes: SharedInformer<Node>;
  readonly client: LoopbackClient<Pod>;
}

/**
 * Deletes pods from nodes with NoExecute taints, as soon as the pods no longer tolerate them.
 * (pkg/controller/tainteviction)
 */
export class TaintEvictionController implements Controller {
  readonly #context: WorkloadContext;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue<ObjectKey>;
  readonly #evictions = new Map<string, Eviction>();
  #open: OpenObjects | undefined;

  constructor(context: WorkloadContext) {
    const { stores, logger } = context;
    this.#context = context;
    this.#recorder = new EventRecorder(stores, name, writerOfController(serviceAccount));
    this.#queue = new WorkQueue({
      clock: stores.clock,
      concurrency: 8,
      keyOf,
      work: (key) => this.#delete(key),
      report: (err) => logger.error({ err, controller: name }, 'a pod could not be evicted, which will be retried'),
    });
  }

  async start(): Promise<void> {
    const { stores, informers } = this.#context;
    this.#open = {
      pods: await informers.of<Pod>(pods),
      nodes: await informers.of<Node>(nodes),
      client: await LoopbackClient.open<Pod>(stores, pods, writerOfController(serviceAccount)),
    };
    this.#open.nodes.addEventHandler({
      onAdd: (node) => this.#onNode(node),
      onUpdate: (before, after) => {
        const [old, now] = [noExecuteTaints(before.spec?.taints), noExecuteTaints(after.spec?.taints)];
        if (!semanticDeepEqual(old, now)) this.#onNode(after);
      },
    });
    this.#open.pods.addEventHandler({
      onAdd: (pod) => this.#onPod(pod),
      onUpdate: (before, after) => {
        const isSameNode = before.spec?.nodeName === after.spec?.nodeName;
        if (!isSameNode || !semanticDeepEqual(before.spec?.tolerations, after.spec?.tolerations)) this.#onPod(after);
      },
      onDelete: (pod) => this.#cancel(keyOfPod(pod)),
    });
  }

  async close(): Promise<void> {
    for (const { cancel } of this.#evictions.values()) cancel();
    this.#evictions.clear();
    await this.#queue.close();
  }

  #onNode(node: Node): void {
    for (const pod of this.#open?.pods.index(byNode).of(node.metadata.name ?? '') ?? []) this.#onPod(pod);
  }

  /** (processPodOnNode) */
  #onPod(pod: Pod): void {
    const { nodeName, tolerations } = pod.spec ?? {};
    const node = nodeName ? this.#open?.nodes.get('', nodeName) : undefined;
    if (node === undefined) return;
    const key = keyOfPod(pod);
    const time = tolerationTime(tolerations, noExecuteTaints(node.spec?.taints));
    if (time === Number.POSITIVE_INFINITY) this.#cancel(key);
    else if (time === 0) {
      this.#cancel(key);
      this.#queue.add(key);
    } else if (!this.#evictions.has(keyOf(key))) this.#schedule(key, time);
  }

  #schedule(key: ObjectKey, ms: number): void {
    const cancel = this.#context.stores.clock.after(ms, () => {
      this.#evictions.delete(keyOf(key));
      this.#queue.add(key);
    });
    this.#evictions.set(keyOf(key), { cancel });
  }

  #cancel(key: ObjectKey): void {
    const eviction = this.#evictions.get(keyOf(key));
    if (eviction === undefined) return;
    eviction.cancel();
    this.#evictions.delete(keyOf(key));
    this.#recordEvent(key, `Cancelling deletion of Pod ${keyOf(key)}`);
  }

  /** (addConditionAndDeletePod) */
  async #delete(key: ObjectKey): Promise<SyncResult> {
    const { client } = this.#open as OpenObjects;
    this.#recordEvent(key, `Marking for deletion Pod ${keyOf(key)}`);
    try {
      await client.change(
        key,
        (pod) => {
          const status = { ...pod.status };
          updatePodCondition(status, condition, this.#context.stores.clock.now());
          return { ...pod, status };
        },
        'status',
      );
      await client.delete(key.namespace, key.name);
    } catch (error) {
      if (!hasStatusCode(error, 404)) throw error;
    }
    return 'done';
  }

  #recordEvent(key: ObjectKey, message: string): void {
    const about = { kind: 'Pod', apiVersion: 'v1', ...key, uid: '' };
    this.#recorder.event(about, { type: 'Normal', reason: 'TaintManagerEviction', message });
  }
}

const keyOf = ({ namespace, name: pod }: ObjectKey): string => `${namespace}/${pod}`;

const keyOfPod = ({ metadata: { namespace = '', name: pod = '' } }: Pod): ObjectKey => ({ namespace, name: pod });
