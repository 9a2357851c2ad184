import type { ResourceQuota } from '../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../machinery/errors/status.ts';
import { type Amounts, resourceListOf } from '../machinery/scalars/resource-amounts.ts';
import type { StandardStorage, StorageProvider, UpdateRequest, Writer } from '../resources/rest.ts';
import type { Quota } from './quota.ts';

export interface QuotaStatus {
  readonly hard: Amounts;
  readonly used: Amounts;
}

export interface QuotaWriters {
  /** Of what admission reserves. */
  readonly admission: Writer;
  /** Of what the controller has counted. */
  readonly controller: Writer;
}

/** Another quota has the name now. */
class QuotaReplaced extends Error {}

/** Writes the statuses of quotas. */
export class QuotaStatusWriter {
  readonly #stores: StorageProvider;
  readonly #writers: QuotaWriters;
  #store: StandardStorage | undefined;

  constructor(stores: StorageProvider, writers: QuotaWriters) {
    this.#stores = stores;
    this.#writers = writers;
  }

  /** Resolves with nothing done if the quota does not exist any more. @throws StatusError */
  async write({ namespace, name, uid }: Quota, status: QuotaStatus, by: keyof QuotaWriters): Promise<void> {
    this.#store ??= await this.#stores.named('', 'v1', 'resourcequotas');
    const update: UpdateRequest = {
      ...{ namespace, name, part: 'status', subresource: 'status', createIfAbsent: false, requireVersion: false },
      change(current) {
        const quota = current as ResourceQuota;
        if (quota.metadata.uid !== uid) throw new QuotaReplaced();
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
      if (error instanceof QuotaReplaced || (isStatusError(error) && error.status.code === 404)) return;
      throw error;
    }
  }
}
