import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import type { QuotaRequest } from '../../admission/quota/check-request.ts';
import type { Reservation } from '../../admission/quota/namespace-account.ts';
import type { LimitedEvent, RateLimiters } from '../../admission/rate-limiters.ts';
import type { DeleteEffect, Effect, PlannedRevision, PutEffect } from './effects.ts';

/**
 * Collects the effects of a job. The job goes on as if each of them were successful; the server runs the job again if a
 * write has a conflict, and refuses the request if a limit does.
 */
export class PlannedEffects implements QuotaReservations, RateLimiters {
  #effects: Effect[] = [];
  #writes = 0;
  #reservations = 0;
  readonly #reserved = new Map<number, Effect>();

  open(): Promise<void> {
    return Promise.resolve();
  }

  reserve(request: QuotaRequest): Reservation {
    const effect: Effect = { kind: 'reserve', request };
    this.#reservations += 1;
    this.#reserved.set(this.#reservations, effect);
    this.#effects.push(effect);
    return { namespace: request.namespace, id: this.#reservations };
  }

  /** Removes the reservation of an attempt that stores nothing. */
  settle({ id }: Reservation, stored: boolean): void {
    const effect = this.#reserved.get(id);
    this.#reserved.delete(id);
    if (!stored) this.#effects = this.#effects.filter((one) => one !== effect);
  }

  accept(events: readonly LimitedEvent[]): void {
    this.#effects.push({ kind: 'accept', events });
  }

  put(put: Omit<PutEffect, 'kind' | 'planned'>): PlannedRevision {
    const planned = this.#nextRevision();
    this.#effects.push({ kind: 'put', ...put, planned });
    return planned;
  }

  delete(deletion: Omit<DeleteEffect, 'kind' | 'planned'>): PlannedRevision {
    const planned = this.#nextRevision();
    this.#effects.push({ kind: 'delete', ...deletion, planned });
    return planned;
  }

  add(effect: Effect): void {
    this.#effects.push(effect);
  }

  /** Returns the effects, and begins anew. */
  take(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    this.#reserved.clear();
    this.#writes = 0;
    return effects;
  }

  #nextRevision(): PlannedRevision {
    this.#writes += 1;
    return -this.#writes;
  }
}
