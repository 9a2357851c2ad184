import type { Lease } from '../../../generated/v1.35/coordination.k8s.io/v1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { PeriodicController } from '../../reconcile/periodic-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ControlPlaneContext } from '../context.ts';
import { identity, identityLabel, leaseNamespace, leases } from './lease-controller.ts';

const interval = 3_600_000;

/** Deletes the leases of servers that no longer run. (pkg/controlplane/controller/apiserverleasegc) */
export const leaseGCController = (context: ControlPlaneContext): Controller =>
  new PeriodicController({
    context,
    interval,
    failure: 'apiserver leases could not be collected',
    async open() {
      const { group, version, resource } = leases;
      return context.stores.serves(group, version, resource) ? () => collect(context) : undefined;
    },
  });

async function collect({ stores }: ControlPlaneContext): Promise<void> {
  const client = await LoopbackClient.open<Lease>(stores, leases, loopbackWriter('kube-apiserver'));
  for (const stored of client.collection.latest().scan({ namespace: leaseNamespace })) {
    if (stored.labels[identityLabel] !== identity || !isExpired(client.decode(stored), stores.clock.now())) continue;
    try {
      await client.delete(leaseNamespace, stored.name, { uid: stored.uid });
    } catch (error) {
      if (!isStatusError(error)) throw error;
    }
  }
}

/** Reports whether a lease has expired. A lease without its times has, since no server holds it. */
export function isExpired({ spec = {} }: Lease, now: number): boolean {
  const { renewTime, leaseDurationSeconds } = spec;
  if (!renewTime || leaseDurationSeconds === undefined) return true;
  return Date.parse(renewTime) + leaseDurationSeconds * 1000 < now;
}
