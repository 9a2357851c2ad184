import { readdir, readFile } from 'node:fs/promises';
import { constants, type IntervalHistogram, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels, type MetricType } from '../../machinery/metrics/exposition.ts';

let collector: ProcessCollector | undefined;

/**
 * Metrics of this process in the Prometheus format: processor time, memory, file descriptors, delay of the event loop, garbage
 * collection. Collecting begins with the first call, because most servers are never scraped.
 */
export async function renderProcessMetrics(): Promise<string> {
  collector ??= new ProcessCollector();
  return collector.render();
}

/** Names are those of Go's process collector (client_golang collectors/process_collector.go) and, for Node, of prom-client. */
class ProcessCollector {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay();
  /** Seconds by kind of collection. */
  readonly #collections = new Map<string, BoundedHistogram>();

  constructor() {
    this.#delay.enable();
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#observeCollection(entry as CollectionEntry);
    });
    observer.observe({ entryTypes: ['gc'] });
  }

  async render(): Promise<string> {
    const text = new Exposition();
    this.#writeProcess(text, await readProcFiles());
    this.#writeEventLoop(text);
    this.#writeHeap(text);
    const name = 'nodejs_gc_duration_seconds';
    text.head(name, 'histogram', 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.');
    for (const [kind, histogram] of this.#collections) text.histogram(name, formatLabels({ kind }), histogram);
    return text.toString();
  }

  #observeCollection({ detail, duration }: CollectionEntry): void {
    const kind = collectionKinds.get(detail.kind) ?? 'unknown';
    let histogram = this.#collections.get(kind);
    if (histogram === undefined) {
      histogram = new BoundedHistogram([0.001, 0.01, 0.1, 1, 2, 5]);
      this.#collections.set(kind, histogram);
    }
    histogram.observe(duration / 1000);
  }

  #writeProcess(text: Exposition, { openFds, maxFds, virtualBytes }: ProcFiles): void {
    const { user, system } = process.cpuUsage();
    const write = metricWriter(text);
    write('process_cpu_user_seconds_total', 'counter', 'Total user CPU time spent in seconds.', user / 1e6);
    write('process_cpu_system_seconds_total', 'counter', 'Total system CPU time spent in seconds.', system / 1e6);
    write('process_cpu_seconds_total', 'counter', 'Total user and system CPU time spent in seconds.', (user + system) / 1e6);
    const started = Math.round(performance.timeOrigin) / 1000;
    write('process_start_time_seconds', 'gauge', 'Start time of the process since unix epoch in seconds.', started);
    write('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', process.memoryUsage.rss());
    write('process_virtual_memory_bytes', 'gauge', 'Virtual memory size in bytes.', virtualBytes);
    write('process_open_fds', 'gauge', 'Number of open file descriptors.', openFds);
    write('process_max_fds', 'gauge', 'Maximum number of open file descriptors.', maxFds);
  }

  /** The delays since the last call. */
  #writeEventLoop(text: Exposition): void {
    const delay = this.#delay;
    const write = metricWriter(text);
    const seconds = (nanoseconds: number): number | undefined => (delay.count === 0 ? undefined : nanoseconds / 1e9);
    write('nodejs_eventloop_lag_min_seconds', 'gauge', 'The minimum recorded event loop delay.', seconds(delay.min));
    write('nodejs_eventloop_lag_max_seconds', 'gauge', 'The maximum recorded event loop delay.', seconds(delay.max));
    write('nodejs_eventloop_lag_mean_seconds', 'gauge', 'The mean of the recorded event loop delays.', seconds(delay.mean));
    for (const percentile of [50, 90, 99]) {
      const name = `nodejs_eventloop_lag_p${percentile}_seconds`;
      write(name, 'gauge', `The ${percentile}th percentile of the recorded event loop delays.`, seconds(delay.percentile(percentile)));
    }
    delay.reset();
  }

  #writeHeap(text: Exposition): void {
    const { heapTotal, heapUsed, external } = process.memoryUsage();
    const write = metricWriter(text);
    write('nodejs_heap_size_total_bytes', 'gauge', 'Process heap size from Node.js in bytes.', heapTotal);
    write('nodejs_heap_size_used_bytes', 'gauge', 'Process heap size used from Node.js in bytes.', heapUsed);
    write('nodejs_external_memory_bytes', 'gauge', 'Node.js external memory size in bytes.', external);
    const name = 'nodejs_heap_space_size_used_bytes';
    text.head(name, 'gauge', 'Process heap space size used from Node.js in bytes.');
    for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
      text.line(name, formatLabels({ space: space_name.replace('_space', '') }), space_used_size);
    }
    text.head('nodejs_version_info', 'gauge', 'Node.js version info.');
    text.line('nodejs_version_info', formatLabels({ version: process.version }), 1);
  }
}

/** The types of Node have no `detail`. */
type CollectionEntry = PerformanceEntry & { readonly detail: { readonly kind: number } };

const collectionKinds: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** Writes a metric without labels, unless its value is unknown. */
function metricWriter(text: Exposition): (name: string, type: MetricType, help: string, value: number | undefined) => void {
  return (name, type, help, value) => {
    if (value === undefined) return;
    text.head(name, type, help);
    text.line(name, '', value);
  };
}

/** From /proc. Members are undefined where there is none. */
interface ProcFiles {
  readonly openFds: number | undefined;
  readonly maxFds: number | undefined;
  readonly virtualBytes: number | undefined;
}

async function readProcFiles(): Promise<ProcFiles> {
  const [descriptors, limits, status] = await Promise.all([
    readdir('/proc/self/fd').catch(() => undefined),
    readFile('/proc/self/limits', 'utf8').catch(() => ''),
    readFile('/proc/self/status', 'utf8').catch(() => ''),
  ]);
  const maxFds = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  const kibibytes = /^VmSize:\s+(\d+) kB/m.exec(status)?.[1];
  return {
    openFds: descriptors?.length,
    maxFds: maxFds === undefined ? undefined : Number(maxFds),
    virtualBytes: kibibytes === undefined ? undefined : Number(kibibytes) * 1024,
  };
}
