import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import { isRefusal, type QuotaRequest } from '../../admission/quota/check-request.ts';
import type { Reservation, ReserveResult } from '../../admission/quota/namespace-account.ts';

/** The quota reservations of a worker thread. They end if the thread ends before its request does. */
export class ThreadReservations implements QuotaReservations {
  readonly #quota: QuotaReservations;
  readonly #open = new Map<string, Reservation>();

  constructor(quota: QuotaReservations) {
    this.#quota = quota;
  }

  open(): Promise<void> {
    return this.#quota.open();
  }

  async reserve(request: QuotaRequest): Promise<ReserveResult> {
    const result = await this.#quota.reserve(request);
    if (result !== undefined && !isRefusal(result)) this.#open.set(keyOf(result), result);
    return result;
  }

  settle(reservation: Reservation, stored: boolean): void {
    this.#open.delete(keyOf(reservation));
    this.#quota.settle(reservation, stored);
  }

  /** Ends all reservations after the thread has ended and its calls are done. Its objects may have been stored. */
  settleAll(): void {
    for (const reservation of this.#open.values()) this.settle(reservation, true);
  }
}

const keyOf = ({ namespace, id }: Reservation): string => `${namespace}/${id}`;
