import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import type { QuotaRequest } from '../../admission/quota/check-request.ts';
import type { Reservation } from '../../admission/quota/namespace-account.ts';
import type { LimitedEvent, RateLimiters } from '../../admission/rate-limiters.ts';
import type { Effect } from './effects.ts';

/**
 * The effects of a job that the server does not know yet. The job goes on as if each of them were successful. The next
 * write, or the outcome, takes them to the server, which refuses the write if a limit does.
 */
export class PendingEffects implements QuotaReservations, RateLimiters {
  #effects: Effect[] = [];
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

  /** Removes the reservation of an attempt that stores nothing. The server ends those that it knows with their write. */
  settle({ id }: Reservation, stored: boolean): void {
    const effect = this.#reserved.get(id);
    this.#reserved.delete(id);
    if (!stored) this.#effects = this.#effects.filter((one) => one !== effect);
  }

  accept(events: readonly LimitedEvent[]): void {
    this.#effects.push({ kind: 'accept', events });
  }

  /** Returns the effects, and begins anew. */
  take(): readonly Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    this.#reserved.clear();
    return effects;
  }
}
