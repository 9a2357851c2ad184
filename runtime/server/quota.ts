import { QuotaAccountant, type SharedQuotas } from '../admission/quota/accountant.ts';
import { QuotaStatusWriter } from '../admission/quota/status-writer.ts';
import { writerOfController } from '../reconcile/controller-writer.ts';
import type { Listers } from '../resources/lister.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { CompletedConfig } from './config.ts';

/** Returns the accountant of a server. As in upstream, the server itself and the quota controller write statuses. */
export function quotaAccountant(stores: ResourceStores, listers: Listers, { clock, logger }: CompletedConfig): QuotaAccountant {
  return new QuotaAccountant({
    listers,
    clock,
    shared: sharedQuotas(stores),
    statusWriter: new QuotaStatusWriter(stores, {
      admission: { ...loopbackWriter('kube-apiserver'), isAdmitted: true },
      controller: writerOfController('resourcequota-controller'),
    }),
    report: (err) => logger.error({ err }, 'the status of a quota could not be written'),
  });
}

/** Returns undefined if no other server writes to the store. */
export function sharedQuotas(stores: ResourceStores): SharedQuotas | undefined {
  if (!stores.isShared) return undefined;
  return {
    refresh: async () => (await stores.byResource('', 'v1', 'resourcequotas')).collection.mostRecent(),
    isLeading: () => stores.leadership?.isLeading ?? true,
  };
}
