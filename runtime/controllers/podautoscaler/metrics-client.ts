import { elementAt } from '../../machinery/collections/element-at.ts';
import { parseMilliseconds } from '../../machinery/go/duration.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { parseQuantity, scaledQuantityValue } from '../../machinery/scalars/quantity.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';

/** One pod's value of a metric. */
export interface PodMetric {
  /** In thousandths. */
  readonly value: number;
  /** Milliseconds since the epoch; the value is of the time before that. */
  readonly timestamp: number;
  /** Milliseconds. */
  readonly window: number;
}

/** By name of the pod. */
export type PodMetrics = Map<string, PodMetric>;

/** Asks another server, by its path. @throws Error with the words of a client */
export type AskRemote = (groupVersion: { readonly group: string; readonly version: string }, path: string) => Promise<Json>;

/** Milliseconds that a metric is of if its server does not say. (metricServerDefaultMetricWindow) */
const defaultWindow = 60_000;

const resourceMetrics = { group: 'metrics.k8s.io', version: 'v1beta1' };
const customMetrics = { group: 'custom.metrics.k8s.io', version: 'v1beta2' };
const externalMetrics = { group: 'external.metrics.k8s.io', version: 'v1beta1' };

/** Reads metrics from the servers that APIServices name. (pkg/controller/podautoscaler/metrics) */
export class MetricsClient {
  readonly #ask: AskRemote;

  constructor(ask: AskRemote) {
    this.#ask = ask;
  }

  /** What the pods use of a resource, or one container of each does. @throws Error */
  async resourceMetric(resource: string, namespace: string, selector: LabelSelector, container?: string): Promise<PodMetrics> {
    const items = await this.#items('resource', resourceMetrics, `/namespaces/${namespace}/pods${queryOf({ labelSelector: selector })}`);
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

  /** A metric of each pod. @throws Error */
  async rawMetric(metric: string, namespace: string, selector: LabelSelector, metricSelector: LabelSelector): Promise<PodMetrics> {
    const query = queryOf({ labelSelector: selector, metricLabelSelector: metricSelector });
    const items = await this.#items('custom', customMetrics, `/namespaces/${namespace}/pods/*/${metric}${query}`);
    return new Map(
      items.map((item) => {
        const window = typeof item.windowSeconds === 'number' ? item.windowSeconds * 1000 : defaultWindow;
        return [nameOf(item.describedObject), { value: milliValue(item.value), timestamp: timeOf(item), window }];
      }),
    );
  }

  /** A metric of one object, in thousandths. @param resource its plural with its group, as `ingresses.networking.k8s.io` */
  async objectMetric(
    metric: string,
    { namespace, resource, name }: { readonly namespace: string; readonly resource: string; readonly name: string },
    metricSelector: LabelSelector,
  ): Promise<number> {
    const query = queryOf({ metricLabelSelector: metricSelector });
    const path =
      resource === 'namespaces' ? `/namespaces/${namespace}/metrics/${metric}` : `/namespaces/${namespace}/${resource}/${name}/${metric}`;
    const items = await this.#items('custom', customMetrics, `${path}${query}`);
    return milliValue(elementAt(items, 0).value);
  }

  /** All values of a metric of something outside the cluster, in thousandths. @throws Error */
  async externalMetric(metric: string, namespace: string, selector: LabelSelector): Promise<number[]> {
    const path = `/namespaces/${namespace}/${metric}${queryOf({ labelSelector: selector })}`;
    return (await this.#items('external', externalMetrics, path)).map(({ value }) => milliValue(value));
  }

  async #items(api: string, version: typeof resourceMetrics, path: string): Promise<JsonObject[]> {
    const list = await this.#ask(version, path).catch((error: Error) => {
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
