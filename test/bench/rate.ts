import { hammer, type RawConnection } from './raw-client.ts';
import { percentile } from './report.ts';

/** Requests per second, and their latencies in milliseconds. */
export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface RateOptions {
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Makes the next request. */
  readonly next: () => Buffer;
}

/** Measures creates, one after the other on each connection, and closes the connections. */
export async function createRate(connections: readonly RawConnection[], { warmUpMs, measuredMs, next }: RateOptions): Promise<Rate> {
  await hammer(connections, warmUpMs, next, [201]);
  const { perSecond, latencies } = await hammer(connections, measuredMs, next, [201]);
  for (const connection of connections) connection.close();
  latencies.sort((a, b) => a - b);
  return { perSecond, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}
