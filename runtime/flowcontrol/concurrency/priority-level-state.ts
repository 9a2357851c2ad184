import { QueueSet, type QueueSetOptions } from '../fair-queuing/queue-set.ts';
import { Dealer } from '../fair-queuing/shuffle-sharding.ts';
import type { PriorityLevelMetrics } from '../metrics/priority-level-metrics.ts';
import { exemptName, type PriorityLevelConfiguration, type PriorityLevelConfigurationSpec } from '../objects.ts';
import { type ConcurrencyLimits, concurrencyLimits, maxSeatsPerRequest } from './concurrency-limits.ts';
import { SeatDemandStats } from './seat-demand-stats.ts';

/** A priority level in use: its object, queues and seats. Exists as long as it has requests. */
export class PriorityLevelState {
  readonly name: string;
  readonly metrics: PriorityLevelMetrics;
  readonly seatDemandStats = new SeatDemandStats();
  readonly queueSet: QueueSet;
  uid = '';
  spec: PriorityLevelConfigurationSpec = { type: 'Limited' };
  /** Deals hands of queues; undefined if the level has no queues. */
  dealer: Dealer | undefined;
  limits: ConcurrencyLimits = { nominal: 0, lower: 0, upper: 0, initial: 0 };
  /** The current number of seats. */
  current = 0;
  /** The maximum seats of one request; undefined for no limit. */
  maxSeats: number | undefined;
  /** The object was deleted; the level is removed when its last request is done. */
  quiescing = false;

  constructor(name: string, options: QueueSetOptions) {
    this.name = name;
    this.metrics = options.metrics;
    this.queueSet = new QueueSet(options);
  }

  get exempt(): boolean {
    return this.spec.type === 'Exempt';
  }

  /** Takes over the object's spec, which takes effect with `setSeats`. */
  update({ metadata, spec = { type: 'Limited' } }: PriorityLevelConfiguration): void {
    this.uid = metadata.uid ?? '';
    this.spec = spec;
    this.dealer = dealerOf(spec);
    this.quiescing = false;
  }

  updateLimits(shareSum: number, serverConcurrency: number): void {
    this.limits = concurrencyLimits(this.spec, shareSum, serverConcurrency);
    this.maxSeats = maxSeatsPerRequest(this.spec, this.limits.nominal);
    const { nominal, lower, upper } = this.limits;
    this.metrics.nominalLimit = nominal;
    this.metrics.lowerLimit = lower;
    this.metrics.upperLimit = upper;
  }

  /** @param concurrencyDenominator the number of seats that the ratio metrics relate to */
  setSeats(seats: number, concurrencyDenominator: number): void {
    this.current = seats;
    this.metrics.currentLimit = seats;
    const queueLengthLimit = this.spec.limited?.limitResponse?.queuing?.queueLengthLimit ?? 1;
    const config = { exempt: this.exempt, queues: this.dealer?.deckSize ?? 0, queueLengthLimit };
    this.queueSet.configure(config, seats, concurrencyDenominator);
  }
}

function dealerOf({ limited }: PriorityLevelConfigurationSpec): Dealer | undefined {
  const queuing = limited?.limitResponse?.queuing;
  return queuing === undefined ? undefined : new Dealer(queuing.queues ?? 0, queuing.handSize ?? 0);
}

/** Reports whether the object can become a level. Validation admits no others. (queueSetCompleterForPL) */
export function isUsable({ metadata, spec }: PriorityLevelConfiguration): boolean {
  if (spec === undefined) return false;
  const { type, limited, exempt } = spec;
  if ((type === 'Limited') !== (limited !== undefined) || (type === 'Exempt') !== (exempt !== undefined)) return false;
  if ((type === 'Exempt') !== (metadata.name === exemptName)) return false;
  const { limitResponse } = limited ?? {};
  if (limited !== undefined && (limitResponse?.type === 'Reject') !== (limitResponse?.queuing === undefined)) return false;
  try {
    dealerOf(spec);
    return true;
  } catch {
    return false;
  }
}
