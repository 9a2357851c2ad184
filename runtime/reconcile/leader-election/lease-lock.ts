import type { Lease, LeaseSpec } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { EventRecorder } from '../events/event-recorder.ts';

export const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

export interface LeaseLockOptions {
  readonly stores: ResourceStores;
  readonly namespace: string;
  readonly name: string;
  /** The unique identity of the candidate process. */
  readonly identity: string;
  /** The source component of events. */
  readonly component: string;
  readonly writer: Writer;
}

/** A Lease whose holder is the leader. (client-go tools/leaderelection/resourcelock LeaseLock) */
export class LeaseLock {
  readonly #options: LeaseLockOptions;
  readonly #recorder: EventRecorder;
  #client: LoopbackClient<Lease> | undefined;
  /** The lease that was last read or written. */
  #lease: Lease | undefined;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
    this.#recorder = new EventRecorder(options.stores, options.component, options.writer);
  }

  get identity(): string {
    return this.#options.identity;
  }

  /** Resolves to undefined if the lease does not exist. */
  async get(): Promise<LeaseSpec | undefined> {
    const { namespace, name } = this.#options;
    const client = await this.#open();
    const stored = (await client.collection.mostRecent()).get(namespace, name);
    this.#lease = stored && client.decode(stored);
    return this.#lease && (this.#lease.spec ?? {});
  }

  /** @throws StatusError 409 if the lease exists */
  async create(spec: LeaseSpec): Promise<void> {
    const { namespace, name } = this.#options;
    this.#lease = await (await this.#open()).create({ metadata: { namespace, name }, spec });
  }

  /** Replaces the lease that was last read or written. @throws StatusError 404, 409 */
  async update(spec: LeaseSpec): Promise<void> {
    if (this.#lease === undefined) throw new Error('lease not initialized, call get or create first');
    this.#lease = await (await this.#open()).update({ ...this.#lease, spec });
  }

  /** Records an event about this candidate. */
  async recordEvent(what: string): Promise<void> {
    const { namespace = '', name = '', uid = '', resourceVersion } = this.#lease?.metadata ?? {};
    if (uid === '') return;
    await this.#recorder.record(defined({ kind: 'Lease', namespace, name, uid, apiVersion: 'coordination.k8s.io/v1', resourceVersion }), {
      type: 'Normal',
      reason: 'LeaderElection',
      message: `${this.identity} ${what}`,
    });
  }

  async #open(): Promise<LoopbackClient<Lease>> {
    this.#client ??= await LoopbackClient.open<Lease>(this.#options.stores, leases, this.#options.writer);
    return this.#client;
  }
}
