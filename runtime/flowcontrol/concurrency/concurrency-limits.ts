import type { PriorityLevelConfigurationSpec } from '../objects.ts';

/** Limits of one priority level, in seats. */
export interface ConcurrencyLimits {
  /** By the level's shares, rounded up, so all levels together may exceed the server's concurrency a little. */
  readonly nominal: number;
  /** Without all seats that the level may lend. */
  readonly lower: number;
  /** With all seats that the level may borrow. */
  readonly upper: number;
  /** Where a new level starts, before its demand is known. */
  readonly initial: number;
}

/** The most of its level's seats that one request may take. (priorityLevelMaxSeatsPercent) */
const maxSeatsFraction = 0.15;

export function nominalConcurrencySharesOf({ limited, exempt }: PriorityLevelConfigurationSpec): number {
  return (limited ? limited.nominalConcurrencyShares : exempt?.nominalConcurrencyShares) ?? 0;
}

/** (apf_controller.go finishQueueSetReconfigsLocked) */
export function concurrencyLimits(spec: PriorityLevelConfigurationSpec, shareSum: number, serverConcurrency: number): ConcurrencyLimits {
  const { limited, exempt } = spec;
  const nominal = shareSum === 0 ? 0 : Math.ceil((serverConcurrency * nominalConcurrencySharesOf(spec)) / shareSum);
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

/** Returns the most seats that one request may be estimated at; undefined if the level has no queues, hence no limit. */
export function maxSeatsPerRequest({ limited }: PriorityLevelConfigurationSpec, nominal: number): number | undefined {
  const queuing = limited?.limitResponse?.queuing;
  if (queuing === undefined) return undefined;
  return Math.max(1, Math.min(Math.ceil(nominal * maxSeatsFraction), Math.trunc(nominal / (queuing.handSize ?? 1))));
}
