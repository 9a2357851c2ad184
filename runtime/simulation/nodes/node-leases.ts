import type { Lease } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { microTimeText } from '../../machinery/scalars/time.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { SimulationContext } from '../context.ts';
import { DueTimes } from '../due-times.ts';
import { kubeletsWriter, type SimulatedNodes } from './simulated-nodes.ts';

const resource = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const namespace = 'kube-node-lease';
const leaseDurationSeconds = 40;
/** Milliseconds. (nodeLeaseRenewIntervalFraction) */
const renewInterval = 10_000;
/** The fraction by which a renewal is earlier or later, so that not all leases are renewed at once. */
const spread = 0.04;

/** The leases that show that nodes are alive. (component-helpers apimachinery/lease) */
export class NodeLeases {
  readonly #context: SimulationContext;
  readonly #nodes: SimulatedNodes;
  readonly #queue: WorkQueue<string>;
  readonly #due: DueTimes<string>;
  readonly #kept = new Set<string>();
  #leases: LoopbackClient<Lease> | undefined;

  constructor(context: SimulationContext, nodes: SimulatedNodes) {
    const { stores, logger } = context;
    this.#context = context;
    this.#nodes = nodes;
    this.#queue = new WorkQueue<string>({
      clock: stores.clock,
      concurrency: 16,
      maxDelay: renewInterval,
      keyOf: (name) => name,
      work: (name) => this.#renew(name),
      report: (err) => logger.error({ err }, 'the lease of a simulated node could not be renewed, which will be retried'),
    });
    this.#due = new DueTimes(
      stores.clock,
      (name) => name,
      (name) => this.#queue.add(name),
    );
  }

  async start(): Promise<void> {
    const { stores } = this.#context;
    if (!stores.serves(resource.group, resource.version, resource.resource)) return;
    this.#leases = await LoopbackClient.open<Lease>(stores, resource, kubeletsWriter);
  }

  async close(): Promise<void> {
    this.#due.close();
    await this.#queue.close();
  }

  keep(name: string): void {
    if (this.#kept.has(name)) return;
    this.#kept.add(name);
    this.#queue.add(name);
  }

  forget(name: string): void {
    this.#kept.delete(name);
    this.#due.delete(name);
  }

  async #renew(name: string): Promise<SyncResult> {
    const node = this.#nodes.get(name);
    const uid = this.#nodes.stored(name)?.metadata.uid;
    if (node === undefined || node.isLost || uid === undefined) {
      this.forget(name);
      return 'done';
    }
    const now = this.#context.stores.clock.now();
    const spec = { holderIdentity: name, leaseDurationSeconds, renewTime: microTimeText(now) };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
    try {
      const metadata = { namespace, name, ownerReferences };
      const created = await this.#leases?.createIfAbsent({ metadata, spec });
      if (created === undefined) {
        await this.#leases?.modify({ namespace, name }, (lease) => {
          lease.metadata.ownerReferences = ownerReferences;
          return { ...lease, spec: { ...lease.spec, ...spec } };
        });
      }
    } catch (error) {
      if (!isStatusError(error)) throw error;
      // the namespace does not exist yet, or the lease was deleted meanwhile
    }
    this.#due.add(name, now + renewInterval * (1 + spread * (2 * this.#context.stores.random.float('node-lease', name) - 1)));
    return 'done';
  }
}
