import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { defaultNodeCapacity, defaultNodes, type SimulationOptions } from '../../options/simulated-cluster.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { SimulationContext } from '../context.ts';
import { DueTimes } from '../due-times.ts';
import { NodeLeases } from './node-leases.ts';
import { heartbeat, instanceTypeLabel, isWell, nodeLabels, readyStatus } from './node-status.ts';
import { kubeletsWriter, nodesResource, type SimulatedNode, type SimulatedNodes } from './simulated-nodes.ts';

/** Milliseconds between writes of a node's unchanged status. (nodeStatusReportFrequency) */
const reportFrequency = 5 * 60_000;
/** The number of nodes written at once. */
const concurrency = 64;

export interface NodeKubeletsOptions {
  readonly context: SimulationContext;
  readonly nodes: SimulatedNodes;
  readonly options: SimulationOptions;
  /** Reports whether Stages control the statuses of nodes. Leases are renewed in any case. */
  hasStages(): boolean;
}

/** A kubelet's work for its node: registers it, reports its status, and renews its lease. */
export class NodeKubelets implements Controller {
  readonly #given: NodeKubeletsOptions;
  readonly #queue: WorkQueue<string>;
  readonly #due: DueTimes<string>;
  readonly #leases: NodeLeases;
  readonly #recorder: EventRecorder;
  #client: LoopbackClient<Node> | undefined;

  constructor(given: NodeKubeletsOptions) {
    const { context, nodes } = given;
    const { stores, logger } = context;
    this.#given = given;
    this.#queue = new WorkQueue<string>({
      clock: stores.clock,
      concurrency,
      paused: true,
      maxDelay: 10_000,
      keyOf: (name) => name,
      work: (name) => this.#sync(name),
      report: (err) => logger.error({ err }, 'a simulated node could not be written, which will be retried'),
    });
    this.#due = new DueTimes(
      stores.clock,
      (name) => name,
      (name) => this.#queue.add(name),
    );
    this.#leases = new NodeLeases(context, nodes);
    this.#recorder = new EventRecorder(stores, 'kubelet', kubeletsWriter);
  }

  async start(): Promise<void> {
    const { context, nodes } = this.#given;
    this.#client = await LoopbackClient.open<Node>(context.stores, nodesResource, kubeletsWriter);
    await this.#leases.start();
    nodes.onChange((name, node) => {
      this.#queue.add(name);
      if (node === undefined) this.#leases.forget(name);
      else if (!node.isLost) this.#leases.keep(name);
    });
  }

  /** Creates the initial nodes, and starts the work. Existing nodes must be known. */
  async run(): Promise<void> {
    this.#queue.resume();
    await this.#registerNodes();
  }

  /** Checks all nodes again, because the Stages have changed. */
  replan(): void {
    for (const name of this.#given.nodes.names()) this.#queue.add(name);
  }

  async close(): Promise<void> {
    this.#due.close();
    await Promise.all([this.#queue.close(), this.#leases.close()]);
  }

  async #registerNodes(): Promise<void> {
    const { nodes: count = defaultNodes } = this.#given.options;
    for (let first = 0; first < count; first += concurrency) {
      const names = Array.from({ length: Math.min(concurrency, count - first) }, (_, i) => `kubeloom-node-${first + i}`);
      await Promise.all(names.map((name) => this.#register(name)));
    }
  }

  async #register(name: string): Promise<void> {
    const { nodes, options, context } = this.#given;
    if (nodes.stored(name) !== undefined) return;
    const range = nodes.plan.of(name);
    if (range === undefined) throw new Error('there are no addresses for further nodes');
    const { podCIDR, address } = range;
    const labels = { ...nodeLabels(name), [instanceTypeLabel]: 'kubeloom' };
    const metadata = {
      name,
      labels,
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    };
    const facts = { capacity: { ...defaultNodeCapacity, ...options.nodeCapacity }, address };
    const status = readyStatus({ metadata } as Node, facts, context.stores.clock.now());
    // a node that is ready at once has no not-ready taint to remove
    const created = await this.#client?.createIfAbsent({ metadata, spec: { podCIDR, podCIDRs: [podCIDR] }, status });
    if (created !== undefined) this.#notifyReady(name);
  }

  async #sync(name: string): Promise<SyncResult> {
    const { nodes, context } = this.#given;
    const node = nodes.get(name);
    const stored = nodes.stored(name);
    if (node === undefined || stored === undefined || node.isLost) {
      this.#due.delete(name);
      return 'done';
    }
    try {
      await this.#ensureSpec(node, stored);
      if (!this.#given.hasStages()) await this.#report(node, context.stores.clock.now());
    } catch (error) {
      if (hasStatusCode(error, 404, 409)) return 'done';
      throw error;
    }
    return 'done';
  }

  /** Adds a kubelet's labels, and a range for pods. */
  async #ensureSpec({ name }: SimulatedNode, { metadata, spec }: Node): Promise<void> {
    const missing = Object.entries(nodeLabels(name)).filter(([key]) => metadata.labels?.[key] === undefined);
    if (missing.length === 0 && spec?.podCIDR) return;
    const range = spec?.podCIDR ? undefined : this.#given.nodes.plan.of(name);
    await this.#client?.modify({ namespace: '', name }, (current) => {
      current.metadata.labels = { ...Object.fromEntries(missing), ...current.metadata.labels };
      if (!range || current.spec?.podCIDR) return current;
      return { ...current, spec: { ...current.spec, podCIDR: range.podCIDR, podCIDRs: [range.podCIDR] } };
    });
  }

  /** Writes the status of a node if it is unknown, or was written long ago. */
  async #report({ name, address }: SimulatedNode, now: number): Promise<void> {
    const { nodes, options } = this.#given;
    const stored = nodes.stored(name);
    if (stored === undefined) return;
    const last = stored.status?.conditions?.find(({ type }) => type === 'Ready')?.lastHeartbeatTime;
    const due = last ? Date.parse(last) + reportFrequency : now;
    const isComplete = isWell(stored) && stored.status?.addresses?.length && stored.status.nodeInfo?.kubeletVersion;
    if (isComplete && now < due) {
      this.#due.add(name, due);
      return;
    }
    this.#due.add(name, now + reportFrequency);
    const facts = {
      capacity: { ...defaultNodeCapacity, ...options.nodeCapacity },
      address,
    };
    await this.#client?.modify(
      { namespace: '', name },
      (current) => ({
        ...current,
        status: isComplete
          ? { ...current.status, conditions: heartbeat(current.status?.conditions, now) }
          : readyStatus(current, facts, now),
      }),
      'status',
    );
    if (!isComplete && stored.status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'True') {
      this.#notifyReady(name);
    }
  }

  /** The uid in a kubelet's events is the node's name. (kl.nodeRef) */
  #notifyReady(name: string): void {
    const about = { kind: 'Node', apiVersion: '', name, uid: name };
    const host = { host: name };
    const ready = { type: 'Normal', reason: 'NodeReady', message: `Node ${name} status is now: NodeReady` } as const;
    this.#recorder.event(about, { type: 'Normal', reason: 'Starting', message: 'Starting kubelet.', ...host });
    this.#recorder.event(about, { ...ready, ...host });
  }
}
