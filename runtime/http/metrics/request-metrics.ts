import type { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';
import { latencyHistogram, sizeHistogram, sliHistogram } from './request-histograms.ts';
import { WatchMetrics } from './watch-metrics.ts';

/** The labels of request counters. */
export interface RequestLabels {
  /** GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, CONNECT, other. */
  readonly verb: string;
  /** `All`, `invalid`, or "" without the parameter. */
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** resource, namespace, cluster, or "" for paths without a resource. */
  readonly scope: string;
}

/** The metrics of requests with the same labels. */
export interface RequestSeries {
  readonly of: RequestLabels;
  /** The labels as text, without dry_run and component. */
  readonly labels: string;
  readonly codes: Map<number, number>;
  readonly latencies: BoundedHistogram;
  /** Seconds without the time in queues. Absent for dry runs. */
  readonly sli: BoundedHistogram | undefined;
  /** Absent for writes. */
  readonly sizes: BoundedHistogram | undefined;
  open: number;
}

/** Long-running, or one of the two kinds of short requests. */
export type RequestKind = 'open' | 'mutating' | 'readOnly';

/** The facts about a complete request. */
export interface Measurement {
  /** Refused requests are not timed, and counted only if they exceeded a limit. (RecordDroppedRequest) */
  readonly isRefused: boolean;
  readonly code: number;
  readonly seconds: number;
  /** The part of `seconds` spent in the queues of priority and fairness. */
  readonly secondsQueued: number;
  /** The size of the response's body. */
  readonly bytes: number;
}

const readVerbs: ReadonlySet<string> = new Set(['GET', 'LIST', 'WATCH']);
const tooManyRequests = 429;
const component = 'component="apiserver"';

/**
 * Metrics of requests. Recording costs each request one look-up and a few additions: the metrics are plain numbers and
 * become text only when a client reads them. (apiserver pkg/endpoints/metrics)
 */
export class RequestMetrics {
  readonly watches = new WatchMetrics();
  readonly #series = new Map<string, RequestSeries>();
  /** The last series of each verb. The next request of the verb usually has the same one. */
  readonly #last = new Map<string, RequestSeries>();
  readonly #deprecated = new Set<string>();
  #mutating = 0;
  #readOnly = 0;

  /** Records the start of a request. `end` takes the returned series. */
  begin(labels: RequestLabels, kind: RequestKind): RequestSeries {
    const series = this.#of(labels);
    this.#count(series, kind, 1);
    return series;
  }

  end(series: RequestSeries, kind: RequestKind, request: Measurement): void {
    const { code, seconds, secondsQueued, bytes } = request;
    this.#count(series, kind, -1);
    if (request.isRefused && code !== tooManyRequests) return;
    series.codes.set(code, (series.codes.get(code) ?? 0) + 1);
    if (request.isRefused) return;
    series.latencies.observe(seconds);
    series.sli?.observe(seconds - secondsQueued);
    series.sizes?.observe(bytes);
  }

  /** @param removedRelease for example `1.38`, or "" if it is not known */
  recordDeprecated(of: Omit<RequestLabels, 'verb' | 'dryRun' | 'scope'>, removedRelease: string): void {
    const { group, version, resource, subresource } = of;
    this.#deprecated.add(formatLabels({ group, removed_release: removedRelease, resource, subresource, version }));
  }

  #count(series: RequestSeries, kind: RequestKind, change: 1 | -1): void {
    if (kind === 'open') series.open += change;
    else if (kind === 'mutating') this.#mutating += change;
    else this.#readOnly += change;
  }

  /**
   * Returns text in the Prometheus format.
   *
   * @param inFlight false if flow control reports the requests in flight. The numbers here include waiting requests.
   */
  render(inFlight = true): string {
    const text = new Exposition();
    const all = [...this.#series.values()];
    this.#renderCounts(text, all);
    const duration = 'apiserver_request_duration_seconds';
    text.head(
      duration,
      'histogram',
      '[STABLE] Response latency in seconds by verb, dry run, group, version, resource, subresource, scope and component.',
    );
    for (const { of, labels, latencies } of all) {
      if (latencies.total > 0) text.histogram(duration, `${component},dry_run="${of.dryRun}",${labels}`, latencies);
    }
    const sli = 'apiserver_request_sli_duration_seconds';
    text.head(sli, 'histogram', '[ALPHA] Response latency in seconds without webhooks and without the time in queues.');
    for (const series of all) {
      if (series.sli && series.sli.total > 0) text.histogram(sli, `${component},${series.labels}`, series.sli);
    }
    const sizes = 'apiserver_response_sizes';
    text.head(sizes, 'histogram', '[STABLE] Response size in bytes of requests that read.');
    for (const series of all) {
      // dry runs never read, and their sizes would repeat the labels
      if (series.of.dryRun !== '' || !series.sizes || series.sizes.total === 0) continue;
      text.histogram(sizes, `${component},${series.labels}`, series.sizes);
    }
    if (inFlight) this.#renderInFlight(text);
    return text.toString() + this.watches.render();
  }

  #renderCounts(text: Exposition, all: readonly RequestSeries[]): void {
    const requests = 'apiserver_request_total';
    text.head(
      requests,
      'counter',
      '[STABLE] Number of requests by verb, dry run, group, version, resource, scope, component and response code.',
    );
    for (const { of, labels, codes } of all) {
      for (const [code, count] of codes) {
        text.line(requests, `code="${code}",${component},dry_run="${of.dryRun}",${labels}`, count);
      }
    }
    const long = 'apiserver_longrunning_requests';
    text.head(long, 'gauge', '[STABLE] Number of active long-running requests.');
    for (const { of, labels, open } of all) {
      if (open > 0 && of.dryRun === '') text.line(long, `${component},${labels}`, open);
    }
    const deprecated = 'apiserver_requested_deprecated_apis';
    text.head(deprecated, 'gauge', '[STABLE] Deprecated APIs that have been requested, with the release without them.');
    for (const labels of this.#deprecated) text.line(deprecated, labels, 1);
  }

  #renderInFlight(text: Exposition): void {
    const current = 'apiserver_current_inflight_requests';
    text.head(current, 'gauge', '[STABLE] Number of requests in flight by request kind, without long-running ones.');
    text.line(current, 'request_kind="mutating"', this.#mutating);
    text.line(current, 'request_kind="readOnly"', this.#readOnly);
  }

  #of(labels: RequestLabels): RequestSeries {
    const last = this.#last.get(labels.verb);
    if (last !== undefined && isSame(last.of, labels)) return last;
    const { verb, dryRun, group, version, resource, subresource, scope } = labels;
    const key = `${verb}\n${dryRun}\n${group}\n${version}\n${resource}\n${subresource}\n${scope}`;
    let series = this.#series.get(key);
    if (!series) {
      series = {
        of: labels,
        labels: formatLabels({ group, resource, scope, subresource, verb, version }),
        codes: new Map(),
        latencies: latencyHistogram(),
        sli: dryRun === '' ? sliHistogram() : undefined,
        sizes: readVerbs.has(verb) ? sizeHistogram() : undefined,
        open: 0,
      };
      this.#series.set(key, series);
    }
    this.#last.set(verb, series);
    return series;
  }
}

function isSame(one: RequestLabels, other: RequestLabels): boolean {
  return (
    one.resource === other.resource &&
    one.subresource === other.subresource &&
    one.scope === other.scope &&
    one.group === other.group &&
    one.version === other.version &&
    one.verb === other.verb &&
    one.dryRun === other.dryRun
  );
}
