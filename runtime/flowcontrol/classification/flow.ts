import { createHash } from 'node:crypto';
import type { Dealer } from '../fair-queuing/shuffle-sharding.ts';
import type { FlowSchemaMetrics } from '../metrics/flow-schema-metrics.ts';

/** Requests with the same FlowSchema and flow distinguisher share the queues of one hand. */
export interface Flow {
  readonly metrics: FlowSchemaMetrics;
  /** A user name, a namespace, or "". */
  readonly distinguisher: string;
  /** The indexes of the queues that its requests may wait in; empty for a level without queues. */
  readonly hand: readonly number[];
}

/** Returns the indexes of the flow's queues. */
export function handOf(schema: string, distinguisher: string, dealer: Dealer | undefined): readonly number[] {
  return dealer === undefined ? [] : dealer.deal(hashFlowId(schema, distinguisher));
}

/** Returns the first 64 bits, little-endian, of the SHA-256 of both names separated by a zero byte. (hashFlowID) */
function hashFlowId(schema: string, distinguisher: string): bigint {
  const hash = createHash('sha256').update(schema).update('\0').update(distinguisher).digest();
  return hash.readBigUInt64LE(0);
}
