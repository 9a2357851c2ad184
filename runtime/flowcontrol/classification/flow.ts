import { createHash } from 'node:crypto';
import type { Dealer } from '../fair-queuing/shuffle-sharding.ts';
import type { FlowSeries } from '../metrics/series.ts';

/** Requests that are treated as one crowd: of one FlowSchema and one distinguisher. */
export interface Flow {
  readonly series: FlowSeries;
  /** A user's name, a namespace, or "". */
  readonly distinguisher: string;
  /** Indexes of the queues that its requests may wait in; empty where the level has none. */
  readonly hand: readonly number[];
}

export function makeFlow(series: FlowSeries, distinguisher: string, dealer: Dealer | undefined): Flow {
  const hand = dealer === undefined ? [] : dealer.deal(flowHash(series.schema, distinguisher));
  return { series, distinguisher, hand };
}

/** The first 64 bits, little end first, of the SHA-256 of both names with a zero byte between. (hashFlowID) */
function flowHash(schema: string, distinguisher: string): bigint {
  const digest = createHash('sha256').update(schema).update('\0').update(distinguisher).digest();
  return digest.readBigUInt64LE(0);
}
