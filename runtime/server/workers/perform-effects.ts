import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import { isRefusal, type QuotaRequest, refusalError } from '../../admission/quota/check-request.ts';
import type { Reservation } from '../../admission/quota/namespace-account.ts';
import type { RateLimiters } from '../../admission/rate-limiters.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { mayBeWritten } from '../../resources/write/steps.ts';
import { dataOf, type StoredObjectData } from '../../storage/object-store/detached-object.ts';
import type { Effect, JobWrites, Put, Removal, Revisions } from './effects.ts';
import { collectionOf } from './questions.ts';

export interface EffectsOptions {
  readonly stores: ResourceStores;
  readonly quota: QuotaReservations;
  readonly rateLimiters: RateLimiters;
}

/** Brings about the effects of jobs, and stores their objects. A reservation of quota ends with the write that it is for. */
export class EffectPerformer implements JobWrites {
  readonly #options: EffectsOptions;

  constructor(options: EffectsOptions) {
    this.#options = options;
  }

  put(before: readonly Effect[], { collection, object, expect }: Put): Promise<Revisions | undefined> {
    return this.#perform(before, async () => {
      const stored = await (await collectionOf(this.#options.stores, collection)).put(object, expect);
      return stored && { revision: stored.revision, createRevision: stored.createRevision };
    });
  }

  delete(before: readonly Effect[], { collection, namespace, name, expect }: Removal): Promise<StoredObjectData | undefined> {
    return this.#perform(before, async () => {
      const last = await (await collectionOf(this.#options.stores, collection)).delete(namespace, name, expect);
      return last && dataOf(last);
    });
  }

  /** Brings about effects that no write follows. */
  async perform(effects: readonly Effect[]): Promise<void> {
    await this.#perform(effects, async () => true);
  }

  /** @throws StatusError if a limit refuses the write; StorageError */
  async #perform<R>(effects: readonly Effect[], write: () => Promise<R>): Promise<R> {
    const reservations: Reservation[] = [];
    let mayBeStored = false;
    try {
      for (const effect of effects) {
        if (effect.kind === 'accept') this.#options.rateLimiters.accept(effect.events);
        else reservations.push(...(await this.#reserve(effect.request)));
      }
      const result = await write();
      mayBeStored = result !== undefined;
      return result;
    } catch (error) {
      mayBeStored = mayBeWritten(error);
      throw error;
    } finally {
      for (const reservation of reservations) this.#options.quota.settle(reservation, mayBeStored);
    }
  }

  async #reserve(request: QuotaRequest): Promise<readonly Reservation[]> {
    const { quota } = this.#options;
    await quota.open();
    const result = await quota.reserve(request);
    if (result === undefined) return [];
    if (isRefusal(result)) throw refusalError(request, result);
    return [result];
  }
}
