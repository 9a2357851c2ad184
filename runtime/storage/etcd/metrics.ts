import { BoundedHistogram } from '../../machinery/metrics/bounded-histogram.ts';
import { Exposition, formatLabels } from '../../machinery/metrics/exposition.ts';

export type EtcdOperation = 'get' | 'list' | 'create' | 'update' | 'delete';

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

const requestBounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const leaseBounds = [10, 50, 100, 500, 1000, 2500, 5000];

interface Requests extends GroupResource {
  readonly operation: EtcdOperation;
  readonly latency: BoundedHistogram;
  errors: number;
}

interface Events extends GroupResource {
  count: number;
}

/** The metrics of requests to etcd. (apiserver etcd3/metrics/metrics.go) */
export class EtcdMetrics {
  readonly #resourceOf: (key: string) => GroupResource;
  /** Requests by their labels. */
  readonly #requests = new Map<string, Requests>();
  readonly #events = new Map<string, Events>();
  readonly #leaseObjects = new BoundedHistogram(leaseBounds);

  /** @param resourceOf returns the resource of an object's key */
  constructor(resourceOf: (key: string) => GroupResource) {
    this.#resourceOf = resourceOf;
  }

  /**
   * @param key of the object, or the first key of a list
   * @param start a value of performance.now()
   */
  recordRequest(operation: EtcdOperation, key: string, start: number, hasFailed: boolean): void {
    const { group, resource } = this.#resourceOf(key);
    const labels = `${operation} ${resource}.${group}`;
    let requests = this.#requests.get(labels);
    if (requests === undefined) {
      requests = { operation, group, resource, latency: new BoundedHistogram(requestBounds), errors: 0 };
      this.#requests.set(labels, requests);
    }
    requests.latency.observeSince(start);
    if (hasFailed) requests.errors += 1;
  }

  recordEvent(key: string): void {
    const { group, resource } = this.#resourceOf(key);
    const labels = `${resource}.${group}`;
    const events = this.#events.get(labels);
    if (events === undefined) this.#events.set(labels, { group, resource, count: 1 });
    else events.count += 1;
  }

  /** @param objectCount the number of objects of a lease that new objects no longer use */
  recordLease(objectCount: number): void {
    this.#leaseObjects.observe(objectCount);
  }

  /** Returns text in the Prometheus format. */
  render(): string {
    const text = new Exposition();
    const requests = [...this.#requests.values()].map((each) => {
      const { operation, group, resource } = each;
      return { ...each, labels: formatLabels({ group, operation, resource }) };
    });
    const latency = 'etcd_request_duration_seconds';
    text.head(latency, 'histogram', '[ALPHA] Seconds that requests to etcd take, by operation and resource.');
    for (const each of requests) text.histogram(latency, each.labels, each.latency);
    const total = 'etcd_requests_total';
    text.head(total, 'counter', '[ALPHA] Number of requests to etcd by operation and resource.');
    for (const each of requests) text.line(total, each.labels, each.latency.total);
    const errors = 'etcd_request_errors_total';
    text.head(errors, 'counter', '[ALPHA] Number of failed requests to etcd by operation and resource.');
    for (const each of requests) if (each.errors > 0) text.line(errors, each.labels, each.errors);
    const received = 'apiserver_storage_events_received_total';
    text.head(received, 'counter', '[ALPHA] Number of events from etcd by resource.');
    for (const { group, resource, count } of this.#events.values()) {
      text.line(received, formatLabels({ group, resource }), count);
    }
    const leases = 'etcd_lease_object_counts';
    text.head(leases, 'histogram', '[ALPHA] Number of objects of a lease of etcd.');
    text.histogram(leases, '', this.#leaseObjects);
    return text.toString();
  }
}
