import { createHash } from 'node:crypto';
import type { Lease } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { microTimeText } from '../../machinery/scalars/time.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { PeriodicSync } from '../../reconcile/periodic-sync.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ControlPlaneContext } from '../context.ts';

export const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
export const leaseNamespace = 'kube-system';
export const identityLabel = 'apiserver.kubernetes.io/identity';
/** The value of the identity label of every server of this kind. */
export const identity = 'kube-apiserver';

const leaseDurationSeconds = 3600;
const renewInterval = 10_000;

/**
 * Keeps a Lease that identifies the server process of this cluster. (component-helpers apimachinery/lease, feature
 * APIServerIdentity)
 */
export class LeaseController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #hostname: string;
  readonly #leaseName: string;
  readonly #holderIdentity: string;
  readonly #periodic: PeriodicSync;
  #leases: LoopbackClient<Lease> | undefined;

  constructor(context: ControlPlaneContext) {
    this.#context = context;
    this.#hostname = context.stores.hostname;
    this.#leaseName = apiServerID(this.#hostname);
    this.#holderIdentity = `${this.#leaseName}_${context.stores.random.uuid('apiserver-identity', this.#leaseName)}`;
    this.#periodic = new PeriodicSync({
      clock: context.stores.clock,
      interval: renewInterval,
      sync: () => this.#sync(),
      report: (err) => context.logger.error({ err }, 'failed to renew the lease of this server, which will be retried'),
    });
  }

  /** Replaces the lease of an earlier server process. */
  async start(): Promise<void> {
    const { stores } = this.#context;
    const { group, version, resource } = leases;
    if (!stores.serves('', 'v1', 'namespaces') || !stores.serves(group, version, resource)) return;
    this.#leases = await LoopbackClient.open<Lease>(stores, leases, loopbackWriter('kube-apiserver'));
    await this.#delete();
    await this.#periodic.start();
  }

  async close(): Promise<void> {
    await this.#periodic.close();
    await this.#delete();
  }

  async #sync(): Promise<void> {
    const key = { namespace: leaseNamespace, name: this.#leaseName };
    if (this.#leases?.collection.latest().get(key.namespace, key.name) === undefined) {
      const holderIdentity = this.#holderIdentity;
      await this.#leases?.createIfAbsent(this.#renewed({ metadata: key, spec: { holderIdentity } }));
    } else await this.#leases?.change(key, (lease) => this.#renewed(lease));
  }

  #renewed(lease: Lease): Lease {
    const renewTime = microTimeText(this.#context.stores.clock.now());
    const labels = { ...lease.metadata.labels, [identityLabel]: identity, 'kubernetes.io/hostname': this.#hostname };
    return {
      ...lease,
      metadata: { ...lease.metadata, labels },
      spec: { ...lease.spec, leaseDurationSeconds, renewTime },
    };
  }

  async #delete(): Promise<void> {
    const name = this.#leaseName;
    if (this.#leases?.collection.latest().get(leaseNamespace, name) === undefined) return;
    try {
      await this.#leases.delete(leaseNamespace, name);
    } catch (err) {
      if (hasStatusCode(err, 404)) return;
      this.#context.logger.error({ err, lease: name }, 'unable to delete lease');
    }
  }
}

/** (apiserver pkg/server/config.go NewConfig) */
export function apiServerID(host: string): string {
  const prefixed = [host, identity].flatMap((text) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(text));
    return [length, Buffer.from(text)];
  });
  return `apiserver-${base32(createHash('sha256').update(Buffer.concat(prefixed)).digest().subarray(0, 16))}`;
}

/** Encodes bytes as RFC 4648 base32 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
