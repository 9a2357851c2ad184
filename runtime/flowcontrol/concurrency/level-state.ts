import { QueueSet, type QueueSetParts } from '../fair-queuing/queue-set.ts';
import { Dealer } from '../fair-queuing/shuffle-sharding.ts';
import type { LevelSeries } from '../metrics/series.ts';
import { exemptName, type PriorityLevel, type PriorityLevelSpec } from '../objects.ts';
import { DemandStatistics } from './demand-statistics.ts';
import { type SeatLimits, seatLimits, widestRequest } from './limits.ts';

/** One priority level at work: its object, its queues, its seats. Lives as long as requests of it do. */
export class LevelState {
  readonly name: string;
  readonly series: LevelSeries;
  readonly statistics = new DemandStatistics();
  readonly queueSet: QueueSet;
  uid = '';
  spec: PriorityLevelSpec = { type: 'Limited' };
  /** Of hands of queues; absent where there are none. */
  dealer: Dealer | undefined;
  limits: SeatLimits = { nominal: 0, lower: 0, upper: 0, initial: 0 };
  /** Seats that it has now. */
  current = 0;
  /** Seats of one request at most; undefined for no rule of this level. */
  widest: number | undefined;
  /** The object is gone; the level goes when its last request does. */
  quiescing = false;

  constructor(name: string, parts: QueueSetParts) {
    this.name = name;
    this.series = parts.series;
    this.queueSet = new QueueSet(parts);
  }

  get exempt(): boolean {
    return this.spec.type === 'Exempt';
  }

  /** Takes over what the object says; its effect comes with `setSeats`. */
  follow({ metadata, spec }: PriorityLevel): void {
    this.uid = metadata.uid ?? '';
    this.spec = spec;
    this.dealer = dealerOf(spec);
    this.quiescing = false;
  }

  divide(shareSum: number, serverConcurrency: number): void {
    this.limits = seatLimits(this.spec, shareSum, serverConcurrency);
    this.widest = widestRequest(this.spec, this.limits.nominal);
    const { nominal, lower, upper } = this.limits;
    this.series.nominalLimit = nominal;
    this.series.lowerLimit = lower;
    this.series.upperLimit = upper;
  }

  /**
   * @param scale what use is shown in proportion to
   */
  setSeats(seats: number, scale: number): void {
    this.current = seats;
    this.series.currentLimit = seats;
    const queueLengthLimit = this.spec.limited?.limitResponse?.queuing?.queueLengthLimit ?? 1;
    this.queueSet.configure(
      { exempt: this.exempt, queues: this.dealer?.deckSize ?? 0, queueLengthLimit },
      seats,
      scale,
    );
  }
}

function dealerOf({ limited }: PriorityLevelSpec): Dealer | undefined {
  const queuing = limited?.limitResponse?.queuing;
  return queuing === undefined ? undefined : new Dealer(queuing.queues ?? 0, queuing.handSize ?? 0);
}

/** Whether there can be a level of this object; validation lets no other in. (queueSetCompleterForPL) */
export function isUsable({ metadata, spec }: PriorityLevel): boolean {
  const { type, limited, exempt } = spec ?? {};
  if ((type === 'Limited') !== (limited !== undefined) || (type === 'Exempt') !== (exempt !== undefined)) return false;
  if ((type === 'Exempt') !== (metadata.name === exemptName)) return false;
  const { limitResponse } = limited ?? {};
  if (limited !== undefined && (limitResponse?.type === 'Reject') !== (limitResponse?.queuing === undefined))
    return false;
  try {
    dealerOf(spec);
    return true;
  } catch {
    return false;
  }
}
