import type { PriorityLevelSpec } from '../objects.ts';

/** Seats of one priority level. */
export interface SeatLimits {
  /** By its shares, rounded up: all levels together may have a little more than the server. */
  readonly nominal: number;
  /** What it never lends. */
  readonly lower: number;
  /** What it has when it borrows all it may. */
  readonly upper: number;
  /** Where a new level begins, before there is any demand to go by. */
  readonly initial: number;
}

/** No request takes more than this part of its level. (priorityLevelMaxSeatsPercent) */
const widestPart = 0.15;

export function sharesOf({ limited, exempt }: PriorityLevelSpec): number {
  return (limited ? limited.nominalConcurrencyShares : exempt?.nominalConcurrencyShares) ?? 0;
}

/** (apf_controller.go finishQueueSetReconfigsLocked) */
export function seatLimits(spec: PriorityLevelSpec, shareSum: number, serverConcurrency: number): SeatLimits {
  const { limited, exempt } = spec;
  const nominal = shareSum === 0 ? 0 : Math.ceil((serverConcurrency * sharesOf(spec)) / shareSum);
  const lendable = Math.round((nominal * ((limited ?? exempt)?.lendablePercent ?? 0)) / 100);
  const percent = limited?.borrowingLimitPercent;
  const borrowing = percent === undefined ? serverConcurrency : Math.round((nominal * percent) / 100);
  return {
    nominal,
    lower: nominal - lendable,
    upper: nominal + borrowing,
    initial: nominal - Math.trunc(lendable / 2),
  };
}

/** How many seats a single request may be estimated to take; undefined where the level has no queues and so no rule. */
export function widestRequest({ limited }: PriorityLevelSpec, nominal: number): number | undefined {
  const queuing = limited?.limitResponse?.queuing;
  if (queuing === undefined) return undefined;
  return Math.max(1, Math.min(Math.ceil(nominal * widestPart), Math.trunc(nominal / (queuing.handSize ?? 1))));
}
