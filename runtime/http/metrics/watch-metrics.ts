import type { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';
import { eventSizeHistogram } from './request-histograms.ts';

interface WatchedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Counts the events sent to watches, and their sizes. */
export class WatchMetrics {
  readonly #series = new Map<string, BoundedHistogram>();

  /** Returns the histogram of a resource. It observes the bytes of each sent event. */
  of({ group, version, resource }: WatchedResource): BoundedHistogram {
    const labels = formatLabels({ group, resource, version });
    let series = this.#series.get(labels);
    if (series === undefined) {
      series = eventSizeHistogram();
      this.#series.set(labels, series);
    }
    return series;
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const used = [...this.#series].filter(([, { total }]) => total > 0);
    text.head('apiserver_watch_events_total', 'counter', '[ALPHA] Number of events sent to watches.');
    for (const [labels, { total }] of used) text.line('apiserver_watch_events_total', labels, total);
    text.head('apiserver_watch_events_sizes', 'histogram', '[ALPHA] Size in bytes of the events sent to watches.');
    for (const [labels, sizes] of used) text.histogram('apiserver_watch_events_sizes', labels, sizes);
    return text.toString();
  }
}
