import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import { isRefusal, type QuotaRequest, refusalError } from '../../admission/quota/check-request.ts';
import type { Reservation } from '../../admission/quota/namespace-account.ts';
import type { RateLimiters } from '../../admission/rate-limiters.ts';
import type { ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { mayBeWritten } from '../../resources/write/steps.ts';
import type { Collection, StoredObject } from '../../storage/object-store/contract.ts';
import { type DeleteEffect, type Effect, keyOfWrite, type PlannedRevision, type PutEffect } from './effects.ts';
import { collectionOf } from './questions.ts';

export interface EffectsOptions {
  readonly stores: ResourceStores;
  readonly quota: QuotaReservations;
  readonly rateLimiters: RateLimiters;
  readonly serviceAllocators: ServiceAllocators;
}

/** A write that did not happen, because another writer was faster. */
export interface Conflict {
  readonly write: PutEffect | DeleteEffect;
  /** The object as it is now; undefined if it does not exist. */
  readonly newest: StoredObject | undefined;
}

/** The stored objects by their planned revisions, or a conflict. */
export type Performed = { readonly stored: ReadonlyMap<PlannedRevision, StoredObject> } | { readonly conflict: Conflict };

/**
 * Brings about the effects of one job, in order. A conflict ends them, except after the write that the request is about:
 * what it leaves behind is removed in any state.
 */
export class EffectPerformer {
  readonly #options: EffectsOptions;
  /** The write that the request is about. Default: none, all writes count. */
  readonly #main: PlannedRevision | undefined;
  readonly #stored = new Map<PlannedRevision, StoredObject>();
  #reservations: Reservation[] = [];

  constructor(options: EffectsOptions, main: PlannedRevision | undefined) {
    this.#options = options;
    this.#main = main;
  }

  /** @throws StatusError if a limit refuses the request; StorageError */
  async perform(effects: readonly Effect[]): Promise<Performed> {
    const outdated = await this.#outdated(effects);
    if (outdated !== undefined) return { conflict: outdated };
    let mayBeStored = false;
    try {
      for (const effect of effects) {
        const conflict = await this.#performOne(effect);
        if (conflict !== undefined) return { conflict };
      }
      mayBeStored = true;
      return { stored: this.#stored };
    } catch (error) {
      mayBeStored = mayBeWritten(error);
      throw error;
    } finally {
      for (const reservation of this.#reservations) this.#options.quota.settle(reservation, mayBeStored);
    }
  }

  /**
   * Returns the first write whose object has another revision already. A job runs again after a conflict, so none of its
   * effects may be there: an eviction would take two from its disruption budget. Objects that are gone, or cannot be
   * decoded, are left to the write.
   */
  async #outdated(effects: readonly Effect[]): Promise<Conflict | undefined> {
    for (const effect of effects) {
      if (effect.kind !== 'put' && effect.kind !== 'delete') continue;
      if (effect.expect >= 0) {
        const { namespace, name } = keyOfWrite(effect);
        const newest = (await collectionOf(this.#options.stores, effect.collection)).latest().get(namespace, name);
        if (newest !== undefined && newest.revision !== effect.expect) return { write: effect, newest };
      }
      if (effect.planned === this.#main) return undefined;
    }
    return undefined;
  }

  async #performOne(effect: Effect): Promise<Conflict | undefined> {
    const { rateLimiters, serviceAllocators } = this.#options;
    switch (effect.kind) {
      case 'accept':
        rateLimiters.accept(effect.events);
        return undefined;
      case 'reserve':
        await this.#reserve(effect.request);
        return undefined;
      case 'releaseClusterIP':
        await serviceAllocators.releaseClusterIP(effect.address, effect.service);
        return undefined;
      case 'releaseNodePorts':
        await serviceAllocators.releaseNodePorts(effect.ports);
        return undefined;
      default:
        return this.#write(effect);
    }
  }

  async #reserve(request: QuotaRequest): Promise<void> {
    const { quota } = this.#options;
    await quota.open();
    const result = await quota.reserve(request);
    if (result === undefined) return;
    if (isRefusal(result)) throw refusalError(request, result);
    this.#reservations.push(result);
  }

  async #write(write: PutEffect | DeleteEffect): Promise<Conflict | undefined> {
    const collection = await collectionOf(this.#options.stores, write.collection);
    const expected = this.#stored.get(write.expect);
    const stored = await this.#store(collection, write, expected?.revision ?? write.expect);
    if (stored !== undefined) {
      this.#stored.set(write.planned, stored);
      return undefined;
    }
    const key = keyOfWrite(write);
    const newest = (await collection.mostRecent()).get(key.namespace, key.name);
    if (expected !== undefined && newest?.uid !== expected.uid) {
      // another writer has finished the deletion that this job began
      this.#stored.set(write.planned, expected);
      return undefined;
    }
    if (write.kind === 'delete' && this.#main !== undefined && this.#stored.has(this.#main)) {
      return newest && this.#write({ ...write, expect: newest.revision });
    }
    return { write, newest };
  }

  #store(collection: Collection, write: PutEffect | DeleteEffect, expect: number): Promise<StoredObject | undefined> {
    return write.kind === 'put' ? collection.put(write.object, expect) : collection.delete(write.namespace, write.name, expect);
  }
}
