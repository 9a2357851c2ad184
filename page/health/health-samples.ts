import { type Metrics, readMetrics } from '../server/metrics.ts';

/** The numbers of one moment, in the order of their plots. */
export interface HealthSample {
  /** Seconds since the epoch. */
  readonly time: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface Plot {
  readonly title: string;
  readonly unit: string;
  /** The names of its lines, which are members of a sample. */
  readonly lines: readonly string[];
}

export const plots: readonly Plot[] = [
  { title: 'Memory', unit: 'MB', lines: ['resident', 'heap'] },
  { title: 'Processor', unit: '%', lines: ['busy'] },
  { title: 'Event loop delay', unit: 'ms', lines: ['p99', 'mean'] },
  { title: 'Requests', unit: 'a second', lines: ['requests'] },
  { title: 'Open watches', unit: '', lines: ['watches'] },
  { title: 'Running requests', unit: '', lines: ['reads', 'writes'] },
  { title: 'Objects', unit: '', lines: ['objects'] },
  { title: 'Revision', unit: '', lines: ['revision'] },
];

/** The most samples: half an hour. */
const maxSamples = 900;

const names = [
  'process_resident_memory_bytes',
  'nodejs_heap_size_used_bytes',
  'process_cpu_seconds_total',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'authenticated_user_requests',
  'apiserver_longrunning_requests',
  'apiserver_current_inflight_requests',
  'apiserver_resource_objects',
  'apiserver_watch_cache_resource_version',
  'process_start_time_seconds',
] as const;

export interface HealthHistory {
  readonly samples: readonly HealthSample[];
  readonly startedAt: number;
  /** Counters of the last sample. */
  readonly cpu: number;
  readonly total: number;
}

/** Adds a sample of now. @throws ApiError for users who may not read metrics */
export async function sampleHealth(before: HealthHistory | undefined): Promise<HealthHistory> {
  const metrics = await readMetrics(names);
  const time = Date.now() / 1000;
  const [cpu, total] = [metrics.sum('process_cpu_seconds_total'), metrics.sum('authenticated_user_requests')];
  const last = before?.samples.at(-1);
  const seconds = last === undefined ? 0 : time - last.time;
  const rate = (now: number, old: number | undefined): number =>
    old === undefined || seconds === 0 ? 0 : Math.max(0, now - old) / seconds;
  const values = { ...gauges(metrics), busy: 100 * rate(cpu, before?.cpu), requests: rate(total, before?.total) };
  const samples = [...(before?.samples ?? []), { time, values }].slice(-maxSamples);
  return { samples, startedAt: metrics.sum('process_start_time_seconds') * 1000, cpu, total };
}

const gauges = (metrics: Metrics): Record<string, number> => ({
  resident: metrics.sum('process_resident_memory_bytes') / 1e6,
  heap: metrics.sum('nodejs_heap_size_used_bytes') / 1e6,
  p99: metrics.sum('nodejs_eventloop_lag_p99_seconds') * 1000,
  mean: metrics.sum('nodejs_eventloop_lag_mean_seconds') * 1000,
  watches: metrics.sum('apiserver_longrunning_requests', { verb: 'WATCH' }),
  reads: metrics.sum('apiserver_current_inflight_requests', { request_kind: 'readOnly' }),
  writes: metrics.sum('apiserver_current_inflight_requests', { request_kind: 'mutating' }),
  objects: metrics.sum('apiserver_resource_objects'),
  revision: metrics.max('apiserver_watch_cache_resource_version'),
});
