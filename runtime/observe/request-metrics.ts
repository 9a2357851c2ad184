import { Exposition } from './exposition.ts';

/** Upper bounds in seconds. (apiserver pkg/endpoints/metrics requestLatencies) */
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** The labels that requests are counted by. */
export interface RequestLabels {
  /** GET, LIST, WATCH, POST, PUT, PATCH, APPLY, DELETE, DELETECOLLECTION, CONNECT. */
  readonly verb: string;
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
  /** The labels as text. */
  readonly labels: string;
  readonly codes: Map<number, number>;
  readonly counts: Float64Array;
  sum: number;
  total: number;
  open: number;
}

/** Long-running, or one of the two kinds of short requests. */
export type RequestKind = 'open' | 'mutating' | 'readOnly';

/**
 * Metrics of requests. They are plain numbers that become text only when a client asks for them, because every request
 * pays for recording them: one look-up and three additions.
 */
export class RequestMetrics {
  readonly #series = new Map<string, RequestSeries>();
  /** The last series of each verb, which the next request of that verb usually has too. */
  readonly #last = new Map<string, RequestSeries>();
  #mutating = 0;
  #readOnly = 0;

  /** Records the start of a request. `end` takes the returned series. */
  begin(labels: RequestLabels, kind: RequestKind): RequestSeries {
    const series = this.#of(labels);
    this.#count(series, kind, 1);
    return series;
  }

  /** @param seconds that it took */
  end(series: RequestSeries, kind: RequestKind, code: number, seconds: number): void {
    this.#count(series, kind, -1);
    series.codes.set(code, (series.codes.get(code) ?? 0) + 1);
    let bucket = 0;
    while (bucket < buckets.length && seconds > buckets[bucket]) bucket++;
    series.counts[bucket]++;
    series.sum += seconds;
    series.total++;
  }

  #count(series: RequestSeries, kind: RequestKind, change: 1 | -1): void {
    if (kind === 'open') series.open += change;
    else if (kind === 'mutating') this.#mutating += change;
    else this.#readOnly += change;
  }

  /**
   * Returns text in the Prometheus format.
   *
   * @param inFlight false if flow control reports the requests in flight. These numbers include requests that wait.
   */
  render(inFlight = true): string {
    const text = new Exposition();
    const all = [...this.#series.values()];
    const requests = 'apiserver_request_total';
    text.head(
      requests,
      'counter',
      'Number of requests by verb, dry run, group, version, resource, scope, component and response code.',
    );
    for (const { labels, codes } of all) {
      for (const [code, count] of codes) {
        text.line(requests, `${labels},component="apiserver",dry_run="",code="${code}"`, count);
      }
    }
    const duration = 'apiserver_request_duration_seconds';
    text.head(
      duration,
      'histogram',
      'Response latency in seconds by verb, dry run, group, version, resource, subresource, scope and component.',
    );
    for (const { labels, counts, sum, total } of all) {
      if (total === 0) continue;
      text.histogram(duration, `${labels},component="apiserver",dry_run=""`, { bounds: buckets, counts, sum, total });
    }
    if (inFlight) {
      const current = 'apiserver_current_inflight_requests';
      text.head(current, 'gauge', 'Number of requests in flight by request kind, without long-running ones.');
      text.line(current, 'request_kind="mutating"', this.#mutating);
      text.line(current, 'request_kind="readOnly"', this.#readOnly);
    }
    const long = 'apiserver_longrunning_requests';
    text.head(
      long,
      'gauge',
      'Number of active long-running requests by verb, group, version, resource, scope and component.',
    );
    for (const { labels, open } of all) if (open > 0) text.line(long, `${labels},component="apiserver"`, open);
    return text.toString();
  }

  #of(labels: RequestLabels): RequestSeries {
    const last = this.#last.get(labels.verb);
    if (last !== undefined && isSame(last.of, labels)) return last;
    const { verb, group, version, resource, subresource, scope } = labels;
    const key = `${verb}\n${group}\n${version}\n${resource}\n${subresource}\n${scope}`;
    let series = this.#series.get(key);
    if (!series) {
      series = {
        of: labels,
        labels: Object.entries({ verb, group, version, resource, subresource, scope })
          .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, escapeLabel)}"`)
          .join(','),
        codes: new Map(),
        counts: new Float64Array(buckets.length + 1),
        sum: 0,
        total: 0,
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
    one.verb === other.verb
  );
}

function escapeLabel(char: string): string {
  return char === '\n' ? '\\n' : `\\${char}`;
}
