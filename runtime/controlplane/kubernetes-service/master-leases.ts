import type { Endpoints } from '../../../generated/v1.35/core/v1/types.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { guaranteedUpdate } from '../../resources/write/guaranteed-update.ts';
import type { Collection, StoredResource } from '../../storage/object-store/contract.ts';

/** Seconds until the address of a server that does not renew its lease is dropped. (DefaultEndpointReconcilerTTL) */
const leaseSeconds = 15;

/**
 * The internal resource with the addresses of running servers. No API serves it. (pkg/controlplane/instance.go
 * createLeaseReconciler)
 */
export const apiServerIPInfo: StoredResource = {
  group: '',
  resource: 'apiServerIPInfo',
  resourcePrefix: 'masterleases',
  namespaced: false,
  ttlSeconds: leaseSeconds,
  selectableFields: () => ({}),
};

/** The addresses of the running servers. (pkg/controlplane/reconcilers/lease.go Leases) */
export interface MasterLeases {
  list(): Promise<readonly string[]>;
  /** Adds an address, or renews its lease. */
  update(ip: string): Promise<void>;
  remove(ip: string): Promise<void>;
}

/** Returns the leases of a single server: at most one server has the store open, so only this one can be running. */
export function loneMasterLease(): MasterLeases {
  const addresses = new Set<string>();
  return {
    list: async () => [...addresses],
    update: async (ip) => void addresses.add(ip),
    remove: async (ip) => void addresses.delete(ip),
  };
}

/** Leases as one object with a time to live for each server. */
export class StoredMasterLeases implements MasterLeases {
  readonly #leases: Collection;

  constructor(leases: Collection) {
    this.#leases = leases;
  }

  async list(): Promise<readonly string[]> {
    const addresses: string[] = [];
    for (const stored of (await this.#leases.mostRecent()).scan()) {
      const ip = (stored.decode() as Endpoints).subsets?.[0]?.addresses?.[0]?.ip;
      if (ip) addresses.push(ip);
    }
    return addresses;
  }

  async update(ip: string): Promise<void> {
    await guaranteedUpdate(this.#leases, { namespace: '', name: ip }, (stored) => {
      const generation = (stored?.metadata().generation ?? 0) + 1;
      const lease: Endpoints & KubeObject = {
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { name: ip, generation },
        subsets: [{ addresses: [{ ip }] }],
      };
      return stored === undefined ? this.#leases.create(lease) : this.#leases.update(lease, stored.revision);
    });
  }

  async remove(ip: string): Promise<void> {
    await guaranteedUpdate(this.#leases, { namespace: '', name: ip }, async (stored) => {
      if (stored === undefined) return true;
      return (await this.#leases.delete('', ip, stored.revision)) && true;
    });
  }
}
