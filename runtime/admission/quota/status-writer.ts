import type { ResourceQuota } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { type Amounts, resourceListOf } from '../../machinery/scalars/resource-amounts.ts';
import type { RESTStorage, RESTStorageProvider, UpdateRequest, Writer } from '../../resources/rest.ts';
import type { Quota } from './quota.ts';

export interface QuotaStatus {
  readonly hard: Amounts;
  readonly used: Amounts;
}

export interface QuotaWriters {
  /** Writes reserved amounts. */
  readonly admission: Writer;
  /** Writes counted amounts. */
  readonly controller: Writer;
}

/** The quota has changed, or another quota has its name now. */
class QuotaReplaced extends Error {
  readonly hasChanged: boolean;

  constructor(hasChanged: boolean) {
    super();
    this.hasChanged = hasChanged;
  }
}

/** Writes the statuses of quotas. */
export class QuotaStatusWriter {
  readonly #stores: RESTStorageProvider;
  readonly #writers: QuotaWriters;
  #store: RESTStorage | undefined;

  constructor(stores: RESTStorageProvider, writers: QuotaWriters) {
    this.#stores = stores;
    this.#writers = writers;
  }

  /**
   * Writes the status of a quota. Does nothing if the quota no longer exists. Resolves with false if the quota has
   * changed although `onlyIfUnchanged` is set.
   *
   * @throws StatusError
   */
  async write(
    { namespace, name, uid, resourceVersion }: Quota,
    status: QuotaStatus,
    { by, onlyIfUnchanged }: { readonly by: keyof QuotaWriters; readonly onlyIfUnchanged: boolean },
  ): Promise<boolean> {
    this.#store ??= await this.#stores.byResource('', 'v1', 'resourcequotas');
    const update: UpdateRequest = {
      namespace,
      name,
      part: 'status',
      subresource: 'status',
      requireVersion: false,
      change(current) {
        const quota = current as ResourceQuota;
        const { metadata } = quota;
        if (metadata.uid !== uid) throw new QuotaReplaced(false);
        if (onlyIfUnchanged && metadata.resourceVersion !== resourceVersion) throw new QuotaReplaced(true);
        quota.status = {
          ...(status.hard.size > 0 && { hard: resourceListOf(status.hard) }),
          ...(status.used.size > 0 && { used: resourceListOf(status.used) }),
        };
        return quota;
      },
    };
    try {
      await this.#store.update(this.#store.definition, update, this.#writers[by]);
    } catch (error) {
      if (error instanceof QuotaReplaced) return !error.hasChanged;
      if (hasStatusCode(error, 404)) return true;
      throw error;
    }
    return true;
  }
}
