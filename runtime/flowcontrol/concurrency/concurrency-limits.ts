import type { PriorityLevelConfigurationSpec } from '../objects.ts';

/** Limits of one priority level, in seats. */
export interface ConcurrencyLimits {
  /**
   * The level's part of the server's seats by its shares, rounded up. All levels together may exceed the server's
   * concurrency a little.
   */
  readonly nominal: number;
  /** The nominal limit without all seats that the level may lend. */
  readonly lower: number;
  /** The nominal limit with all seats that the level may borrow. */
  readonly upper: number;
  /** The seats of a new level, before its demand is known. */
  readonly initial: number;
}

/** The largest part of its level's seats for one request. (priorityLevelMaxSeatsPercent) */
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

/** Returns the maximum seats of an estimate; undefined for a level without queues, which has no limit. */
export function maxSeatsPerRequest({ limited }: PriorityLevelConfigurationSpec, nominal: number): number | undefined {
  const queuing = limited?.limitResponse?.queuing;
  if (queuing === undefined) return undefined;
  return Math.max(1, Math.min(Math.ceil(nominal * maxSeatsFraction), Math.trunc(nominal / (queuing.handSize ?? 1))));
}
