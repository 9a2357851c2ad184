import type { DaemonSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { byNode } from '../../reconcile/informers/index-by.ts';
import { type ObjectQueue, QueueController } from '../../reconcile/queue-controller.ts';
import { WorkQueue } from '../../reconcile/work-queue.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { controllerOf } from '../controller-ref-manager.ts';
import { enqueueControllers } from '../enqueue-controllers.ts';
import { isPodStateChanged } from '../pod-control/pod-states.ts';
import { DaemonSetReconciler } from './daemon-set-reconciler.ts';
import { setReference } from './daemon-set-util.ts';

const name = 'daemonset-controller';

/** Creates pods of daemon sets on the nodes that they select. (pkg/controller/daemon) */
export class DaemonSetsController implements Controller {
  readonly #context: WorkloadContext;
  readonly #controller: QueueController;
  readonly #nodeUpdates: WorkQueue<string>;
  #onNodeUpdate: (node: string) => void = () => undefined;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#controller = new QueueController({ context, name, concurrency: 2, open: (queue) => this.#open(queue) });
    this.#nodeUpdates = new WorkQueue({
      clock: context.stores.clock,
      concurrency: 1,
      keyOf: (node) => node,
      work: async (node) => {
        this.#onNodeUpdate(node);
        return 'done';
      },
      report: (err) => context.logger.error({ err, controller: name }, 'a node could not be looked at'),
    });
  }

  start(): Promise<void> {
    return this.#controller.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.#controller.close(), this.#nodeUpdates.close()]);
  }

  async #open(queue: ObjectQueue) {
    const reconciler = await DaemonSetReconciler.open(this.#context, queue);
    const { daemonSets, pods, nodes, history, placements } = reconciler;
    daemonSets.addEventHandler({
      onAdd: (daemonSet) => queue.addObject(daemonSet),
      onUpdate: (_before, daemonSet) => queue.addObject(daemonSet),
      onDelete: (daemonSet) => placements.forget(daemonSet),
    });
    const owning = {
      kind: setReference.kind,
      owners: daemonSets,
      queue,
      selectorOf: ({ spec }: DaemonSet) => spec?.selector,
    };
    enqueueControllers(history.revisions, { ...owning, followsCreations: false });
    enqueueControllers(pods, { ...owning, matters: isPodStateChanged });
    this.#onNodeUpdate = (node) => syncNodeUpdate(node, reconciler, queue);
    nodes.addEventHandler({
      onAdd: ({ metadata }) => this.#nodeUpdates.add(metadata.name ?? ''),
      onUpdate: (before, after) => {
        if (!isSelectedAlike(before, after)) this.#nodeUpdates.add(after.metadata.name ?? '');
      },
      onDelete: (node) => {
        for (const daemonSet of daemonSets.list()) if (placements.of(daemonSet)(node).shouldRun) queue.addObject(daemonSet);
      },
    });
    return (key: Parameters<typeof reconciler.sync>[0]) => reconciler.sync(key);
  }
}

/** (shouldIgnoreNodeUpdate) */
const isSelectedAlike = (before: Node, after: Node): boolean =>
  semanticDeepEqual(before.metadata.labels, after.metadata.labels) && semanticDeepEqual(before.spec?.taints, after.spec?.taints);

/** Queues the daemon sets that lack a pod on the node, have a surplus one, or have not scheduled theirs there. */
function syncNodeUpdate(nodeName: string, reconciler: DaemonSetReconciler, queue: ObjectQueue): void {
  const node = reconciler.nodes.get('', nodeName);
  if (node === undefined) return;
  const owners = new Set<string>();
  for (const pod of reconciler.pods.index(byNode).of(nodeName)) {
    const owner = controllerOf(pod);
    if (owner?.kind === setReference.kind) owners.add(`${pod.metadata.namespace}/${owner.name}`);
  }
  for (const daemonSet of reconciler.daemonSets.list()) {
    const { shouldRun, shouldContinueRunning } = reconciler.placements.of(daemonSet)(node);
    const isScheduled = owners.has(`${daemonSet.metadata.namespace}/${daemonSet.metadata.name}`);
    const isMisjudged = isScheduled && (daemonSet.status?.numberMisscheduled ?? 0) > 0;
    if ((shouldRun && !isScheduled) || (!shouldContinueRunning && isScheduled) || isMisjudged) queue.addObject(daemonSet);
  }
}
