import { elementAt } from '../../machinery/collections/element-at.ts';
import { parseMilliseconds } from '../../machinery/go/duration.ts';
import type { GroupVersion } from '../../machinery/gvk.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';
import type { RemoteRead } from '../../reconcile/remote-resources.ts';

/** A metric's value for one pod. */
export interface PodMetric {
  /** The value in thousandths. */
  readonly value: number;
  /** Milliseconds since the epoch, at the end of the window. */
  readonly timestamp: number;
  /** The length of the window in milliseconds. */
  readonly window: number;
}

/** Metrics by pod name. */
export type PodMetrics = Map<string, PodMetric>;

/** Sends a GET request to another server. @throws Error in the words of a client */
export type AskRemote = (groupVersion: GroupVersion, read: RemoteRead) => Promise<Json>;

/** The window in milliseconds for metrics without one. (metricServerDefaultMetricWindow) */
const defaultWindow = 60_000;

const resourceMetrics = { group: 'metrics.k8s.io', version: 'v1beta1' };
const customMetrics = { group: 'custom.metrics.k8s.io', version: 'v1beta2' };
const externalMetrics = { group: 'external.metrics.k8s.io', version: 'v1beta1' };

/** Reads metrics from the servers of APIServices. (pkg/controller/podautoscaler/metrics) */
export class MetricsClient {
  readonly #ask: AskRemote;

  constructor(ask: AskRemote) {
    this.#ask = ask;
  }

  /** Returns the pods' usage of a resource, or that of one container in each pod. @throws Error */
  async resourceMetric(resource: string, namespace: string, selector: LabelSelector, container?: string): Promise<PodMetrics> {
    const path = `/namespaces/${namespace}/pods${queryOf({ labelSelector: selector })}`;
    const items = await this.#items('resource', resourceMetrics, path, 'pods');
    const metrics: PodMetrics = new Map();
    for (const item of items) {
      const containers = objects(item.containers).filter(({ name }) => container === undefined || name === container);
      const usages = containers.map(({ usage }) => (isJsonObject(usage) ? usage[resource] : undefined));
      if (usages.length === 0 || usages.includes(undefined)) continue;
      const value = usages.reduce<number>((sum, usage) => sum + milliValue(usage), 0);
      metrics.set(nameOf(item.metadata), { value, timestamp: timeOf(item), window: windowOf(item) });
    }
    return metrics;
  }

  /** Returns each pod's value of a metric. @throws Error */
  async rawMetric(metric: string, namespace: string, selector: LabelSelector, metricSelector: LabelSelector): Promise<PodMetrics> {
    const query = queryOf({ labelSelector: selector, metricLabelSelector: metricSelector });
    const items = await this.#items('custom', customMetrics, `/namespaces/${namespace}/pods/*/${metric}${query}`, 'pods', '*');
    return new Map(
      items.map((item) => {
        const window = typeof item.windowSeconds === 'number' ? item.windowSeconds * 1000 : defaultWindow;
        return [nameOf(item.describedObject), { value: milliValue(item.value), timestamp: timeOf(item), window }];
      }),
    );
  }

  /**
   * Returns the value of one object's metric, in thousandths. @param resource the plural with the group:
   * `ingresses.networking.k8s.io`
   */
  async objectMetric(
    metric: string,
    { namespace, resource, name }: { readonly namespace: string; readonly resource: string; readonly name: string },
    metricSelector: LabelSelector,
  ): Promise<number> {
    const query = queryOf({ metricLabelSelector: metricSelector });
    const [read, of, tail] = resource === 'namespaces' ? ['metrics', metric, ''] : [resource, name, `/${metric}`];
    const items = await this.#items('custom', customMetrics, `/namespaces/${namespace}/${read}/${of}${tail}${query}`, read, of);
    return milliValue(elementAt(items, 0).value);
  }

  /** Returns all values of an external metric, in thousandths. @throws Error */
  async externalMetric(metric: string, namespace: string, selector: LabelSelector): Promise<number[]> {
    const path = `/namespaces/${namespace}/${metric}${queryOf({ labelSelector: selector })}`;
    return (await this.#items('external', externalMetrics, path, metric)).map(({ value }) => milliValue(value));
  }

  async #items(api: string, version: GroupVersion, path: string, resource: string, name = ''): Promise<JsonObject[]> {
    const subject = `get ${resource}.${version.group}${name && ` ${name}`}`;
    const unregistered = version === customMetrics ? `no custom metrics API (${version.group}) registered` : undefined;
    const list = await this.#ask(version, { path, subject, unregistered }).catch((error: Error) => {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${error.message}`, { cause: error });
    });
    const items = isJsonObject(list) ? objects(list.items) : [];
    if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
    return items;
  }
}

function queryOf(selectors: Readonly<Record<string, LabelSelector>>): string {
  const query = new URLSearchParams();
  for (const [name, selector] of Object.entries(selectors)) if (!selector.isEmpty) query.set(name, selector.toString());
  return query.size === 0 ? '' : `?${query}`;
}

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

const nameOf = (value: Json | undefined): string => (isJsonObject(value) ? String(value.name ?? '') : '');

const windowOf = ({ window }: JsonObject): number => (window ? parseMilliseconds(String(window)) : 0);

const timeOf = ({ timestamp }: JsonObject): number => Date.parse(String(timestamp)) || 0;

export const milliValue = (quantity: Json | undefined): number => Number(scaledQuantityValue(parseQuantity(String(quantity ?? '0')), -3));
