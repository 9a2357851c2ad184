import type { Lease } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import type { Node, NodeCondition, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { zoneKey } from '../../kinds/core/node-zone.ts';
import { eachInSlices } from '../../machinery/event-loop/each-in-slices.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { byNode } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { PeriodicSync } from '../../reconcile/periodic-sync.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { NoExecuteTainter } from './no-execute-tainter.ts';
import { conditionOf } from './node-condition.ts';
import { NodeHealths, withUnknownConditions } from './node-health.ts';
import { missingLabels } from './node-labels.ts';
import {
  hasTaint,
  noExecuteChange,
  noScheduleChange,
  notReadyTaint,
  type TaintChange,
  unreachableTaint,
  withTaints,
} from './node-taints.ts';
import { PodReadiness } from './pod-readiness.ts';
import { ZoneStates } from './zone-states.ts';

const name = 'node-lifecycle-controller';
/** The name of the service account and of the event source. */
const component = 'node-controller';
const leaseNamespace = 'kube-node-lease';
/** Milliseconds between checks of all nodes. (--node-monitor-period) */
const monitorPeriod = 5000;
/** The number of nodes written in parallel. (nodeUpdateWorkerSize) */
const concurrency = 8;
const excludeDisruption = 'node.kubernetes.io/exclude-disruption';

const nodesResource = { group: '', version: 'v1', resource: 'nodes' };
const podsResource = { group: '', version: 'v1', resource: 'pods' };
const leasesResource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

interface OpenObjects {
  readonly nodes: SharedInformer<Node>;
  readonly pods: SharedInformer<Pod>;
  readonly leases: SharedInformer<Lease>;
  readonly client: LoopbackClient<Node>;
  readonly podReadiness: PodReadiness;
}

/**
 * Derives from leases and statuses whether nodes are alive. Taints nodes by their conditions, and marks pods on unready
 * nodes as not ready. (pkg/controller/nodelifecycle)
 */
export class NodeLifecycleController implements Controller {
  readonly #context: WorkloadContext;
  readonly #recorder: EventRecorder;
  readonly #monitor: PeriodicSync;
  readonly #queue: WorkQueue<string>;
  readonly #tainter: NoExecuteTainter;
  readonly #healths = new NodeHealths();
  readonly #zones = new ZoneStates();
  /** The uids of known nodes. */
  readonly #known = new Map<string, string>();
  /** Nodes with pods whose status could not be written. */
  readonly #retried = new Set<string>();
  #open: OpenObjects | undefined;

  constructor(context: WorkloadContext) {
    const { stores, logger } = context;
    const { clock } = stores;
    const report = (err: unknown): void => logger.error({ err, controller: name }, 'a node could not be written, which will be retried');
    this.#context = context;
    this.#recorder = new EventRecorder(stores, component, writerOfController(component));
    this.#queue = new WorkQueue({
      clock,
      concurrency,
      keyOf: (node) => node,
      work: (node) => this.#sync(node),
      report,
    });
    this.#tainter = new NoExecuteTainter({ clock, taint: (node) => this.#taintNoExecute(node), report });
    const sync = async (): Promise<void> => (await this.#monitorNodes()).forEach(report);
    this.#monitor = new PeriodicSync({ clock, interval: monitorPeriod, sync, report });
  }

  async start(): Promise<void> {
    const { stores, informers } = this.#context;
    const pods = await informers.of<Pod>(podsResource);
    const podClient = await LoopbackClient.open<Pod>(stores, podsResource, writerOfController(component));
    this.#open = {
      pods,
      nodes: await informers.of<Node>(nodesResource),
      leases: await informers.of<Lease>(leasesResource),
      client: await LoopbackClient.open<Node>(stores, nodesResource, writerOfController(component)),
      podReadiness: new PodReadiness(podClient, this.#recorder, stores.clock),
    };
    const onNode = (node: Node): void => {
      if (noScheduleChange(node) || missingLabels(node)) this.#queue.add(node.metadata.name ?? '');
    };
    this.#open.nodes.addEventHandler({ onAdd: onNode, onUpdate: (_, node) => onNode(node) });
    pods.addEventHandler({
      onAdd: (pod) => this.#onPod(pod),
      onUpdate: (before, after) => {
        if (before.spec?.nodeName !== after.spec?.nodeName) this.#onPod(after);
      },
    });
    await this.#monitor.start();
  }

  async close(): Promise<void> {
    await Promise.all([this.#monitor.close(), this.#queue.close(), this.#tainter.close()]);
  }

  /** Handles a pod that was assigned to a node already known to be unready. (processPod) */
  #onPod({ spec }: Pod): void {
    const node = spec?.nodeName ?? '';
    if (node === '' || !this.#healths.isNotReady(node)) return;
    this.#retried.add(node);
    this.#queue.add(node);
  }

  /** Applies the immediate consequences of a node's conditions. (doNoScheduleTaintingPass, reconcileNodeLabels) */
  async #sync(nodeName: string): Promise<SyncResult> {
    const node = this.#objects.nodes.get('', nodeName);
    if (node === undefined) return 'done';
    const change = noScheduleChange(node);
    const labels = missingLabels(node);
    if (change || labels) await this.#change(nodeName, (current) => this.#withLabelsAndTaints(current));
    if (this.#retried.has(nodeName) && this.#healths.isNotReady(nodeName)) await this.#markPodsNotReady(nodeName);
    return 'done';
  }

  #withLabelsAndTaints(node: Node): Node {
    const labels = missingLabels(node);
    if (labels) node.metadata.labels = { ...node.metadata.labels, ...labels };
    const change = noScheduleChange(node);
    return change ? withTaints(node, change, this.#context.stores.clock.now()) : node;
  }

  /** @returns the errors of nodes that could not be written */
  async #monitorNodes(): Promise<unknown[]> {
    const { nodes } = this.#objects;
    this.#forgetDeletedNodes();
    const zones = new Map<string, (NodeCondition | undefined)[]>();
    const errors = await eachInSlices([...nodes.list()], async (node) => {
      const ready = await this.#checkNode(node);
      if (node.metadata.labels?.[excludeDisruption] !== undefined) return;
      const zone = zones.get(zoneKey(node));
      if (zone === undefined) zones.set(zoneKey(node), [ready]);
      else zone.push(ready);
    });
    const { ofAll, rates } = this.#zones.update(zones);
    if (ofAll === 'begins') for (const node of nodes.list()) await this.#removeNoExecute(node);
    if (ofAll === 'ends') this.#healths.resetProbes(this.#context.stores.clock.now());
    for (const [zone, rate] of rates) this.#tainter.setRate(zone, rate);
    void this.#tainter.run();
    return errors;
  }

  #forgetDeletedNodes(): void {
    for (const [node, uid] of this.#known) {
      if (this.#objects.nodes.get('', node) !== undefined) continue;
      this.#recordEvent(node, uid, 'RemovingNode', `Node ${node} event: Removing Node ${node} from Controller`);
      this.#known.delete(node);
      this.#healths.forget(node);
      this.#retried.delete(node);
    }
  }

  /** @returns the Ready condition after the check */
  async #checkNode(node: Node): Promise<NodeCondition | undefined> {
    const { name: nodeName = '', uid = '' } = node.metadata;
    if (!this.#known.has(nodeName)) {
      this.#known.set(nodeName, uid);
      this.#recordEvent(nodeName, uid, 'RegisteredNode', `Node ${nodeName} event: Registered Node ${nodeName} in Controller`);
      await this.#removeNoExecute(node);
    }
    const before = conditionOf(node, 'Ready');
    const ready = await this.#observe(node);
    if (ready === undefined) return undefined;
    await this.#taintByReadiness(node, ready);
    if (ready.status !== 'True') {
      const wasReady = before?.status === 'True';
      if (wasReady) this.#recordEvent(nodeName, uid, 'NodeNotReady', `Node ${nodeName} status is now: NodeNotReady`);
      if (wasReady || this.#retried.has(nodeName)) await this.#markPodsNotReady(nodeName);
    } else this.#retried.delete(nodeName);
    return ready;
  }

  /** Sets the conditions of a silent node to Unknown. (tryUpdateNodeHealth) */
  async #observe(node: Node): Promise<NodeCondition | undefined> {
    const { name: nodeName = '' } = node.metadata;
    const now = this.#context.stores.clock.now();
    const renewTime = this.#objects.leases.get(leaseNamespace, nodeName)?.spec?.renewTime;
    const before = conditionOf(node, 'Ready');
    if (!this.#healths.observe({ node, renewTime }, now)) return before;
    const ready = conditionOf(withUnknownConditions(node, now), 'Ready');
    if (semanticDeepEqual(before, ready)) return before;
    const isSame = (current: Node): boolean => conditionOf(current, 'Ready')?.lastHeartbeatTime === before?.lastHeartbeatTime;
    const change = (current: Node): Node => (isSame(current) ? withUnknownConditions(current, now) : current);
    await this.#change(nodeName, change, 'status');
    const written = this.#objects.nodes.get('', nodeName);
    const after = written && conditionOf(written, 'Ready');
    this.#healths.setReady(nodeName, after);
    return after;
  }

  /** (processTaintBaseEviction) */
  async #taintByReadiness(node: Node, ready: NodeCondition): Promise<void> {
    const { name: nodeName = '' } = node.metadata;
    const change = noExecuteChange(ready);
    if (change === undefined) await this.#removeNoExecute(node);
    else if (change.remove.some((taint) => hasTaint(node, taint))) await this.#swap(nodeName, change);
    else if (!change.add.every((taint) => hasTaint(node, taint))) this.#tainter.add(zoneKey(node), nodeName);
  }

  /** (markNodeAsReachable) */
  async #removeNoExecute(node: Node): Promise<void> {
    const { name: nodeName = '' } = node.metadata;
    this.#tainter.remove(nodeName);
    const remove = [unreachableTaint, notReadyTaint].filter((taint) => hasTaint(node, taint));
    if (remove.length > 0) await this.#swap(nodeName, { add: [], remove });
  }

  async #taintNoExecute(nodeName: string): Promise<void> {
    const node = this.#objects.nodes.get('', nodeName);
    const ready = node && conditionOf(node, 'Ready');
    const change = ready && noExecuteChange(ready);
    if (change) await this.#swap(nodeName, change);
  }

  async #markPodsNotReady(nodeName: string): Promise<void> {
    const { pods, podReadiness } = this.#objects;
    this.#retried.add(nodeName);
    await podReadiness.markNotReady([...pods.index(byNode).of(nodeName)]);
    this.#retried.delete(nodeName);
  }

  #swap(nodeName: string, change: TaintChange): Promise<void> {
    return this.#change(nodeName, (node) => withTaints(node, change, this.#context.stores.clock.now()));
  }

  /** Changes a node. Ignores a deleted node. */
  async #change(nodeName: string, change: (node: Node) => Node, part?: 'status'): Promise<void> {
    await this.#objects.client.modifyIfPresent({ namespace: '', name: nodeName }, change, part);
  }

  #recordEvent(nodeName: string, uid: string, ...[reason, message]: [string, string]): void {
    const about = { kind: 'Node', apiVersion: 'v1', namespace: '', name: nodeName, uid };
    this.#recorder.event(about, { type: 'Normal', reason, message });
  }

  get #objects(): OpenObjects {
    if (this.#open === undefined) throw new Error('the controller has not started');
    return this.#open;
  }
}
