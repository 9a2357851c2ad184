import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import type { Conversion } from '../../../machinery/resource.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import {
  currentCPUUtilization,
  metricFromV1,
  metricStatusFromV1,
  metricStatusToV1,
  metricToV1,
  targetCPUUtilization,
} from './metric-conversion.ts';

/**
 * autoscaling/v1 has fields for the utilization of CPU only. Annotations hold the rest of autoscaling/v2 as JSON; those
 * that are not JSON are ignored. (pkg/apis/autoscaling/v1/conversion.go)
 */

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const currentMetricsAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';

type Annotations = Record<string, string>;

interface Status extends Omit<Unvalidated<v2.HorizontalPodAutoscalerStatus>, 'currentMetrics'> {
  /** Go writes an empty list as null. */
  currentMetrics?: Unvalidated<v2.MetricStatus>[] | null;
}

/** A HorizontalPodAutoscaler of autoscaling/v2, as it is or as a conversion made it. */
export interface HorizontalPodAutoscaler extends Omit<Unvalidated<v2.HorizontalPodAutoscaler>, 'metadata' | 'status'> {
  metadata: ObjectMeta;
  status?: Status;
}

export function autoscalerFromV1(autoscaler: v1.HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const annotations: Annotations = { ...autoscaler.metadata?.annotations };
  const spec = specFromV1(autoscaler.spec ?? {}, annotations);
  const status = statusFromV1(autoscaler.status ?? {}, annotations);
  for (const name of [metricsAnnotation, currentMetricsAnnotation, conditionsAnnotation, behaviorAnnotation]) {
    delete annotations[name];
  }
  const metadata = withAnnotations(autoscaler.metadata, annotations);
  return { ...autoscaler, apiVersion: 'autoscaling/v2', metadata, spec, status };
}

function specFromV1(
  spec: Unvalidated<v1.HorizontalPodAutoscalerSpec>,
  annotations: Annotations,
): Unvalidated<v2.HorizontalPodAutoscalerSpec> {
  const { targetCPUUtilizationPercentage: averageUtilization, ...rest } = spec;
  const out: Unvalidated<v2.HorizontalPodAutoscalerSpec> = rest;
  const metrics = parseList<Unvalidated<v1.MetricSpec>>(annotations[metricsAnnotation]).map(metricFromV1);
  if (averageUtilization !== undefined) {
    metrics.push({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } });
  }
  if (metrics.length > 0) out.metrics = metrics;
  const behavior = parse(annotations[behaviorAnnotation]);
  if (isJsonObject(behavior)) out.behavior = behavior;
  return out;
}

function statusFromV1(status: Unvalidated<v1.HorizontalPodAutoscalerStatus>, annotations: Annotations): Status {
  const { currentCPUUtilizationPercentage, currentReplicas, desiredReplicas = 0, ...rest } = status;
  const currentMetrics = parseList<Unvalidated<v1.MetricStatus>>(annotations[currentMetricsAnnotation]).map(
    metricStatusFromV1,
  );
  if (currentCPUUtilizationPercentage !== undefined) {
    const current = { averageUtilization: currentCPUUtilizationPercentage };
    currentMetrics.push({ type: 'Resource', resource: { name: 'cpu', current } });
  }
  const conditions = parseList<Unvalidated<v2.HorizontalPodAutoscalerCondition>>(annotations[conditionsAnnotation]);
  return {
    ...rest,
    ...(currentReplicas ? { currentReplicas } : {}),
    desiredReplicas,
    currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

function autoscalerToV1(autoscaler: HorizontalPodAutoscaler): Unvalidated<v1.HorizontalPodAutoscaler> & {
  metadata: ObjectMeta;
} {
  const annotations: Annotations = { ...autoscaler.metadata?.annotations };
  const spec = specToV1(autoscaler.spec ?? {}, annotations);
  const status = statusToV1(autoscaler.status ?? {}, annotations);
  const metadata = withAnnotations(autoscaler.metadata, annotations);
  return { ...autoscaler, apiVersion: 'autoscaling/v1', spec, status, metadata };
}

function specToV1(
  { metrics: all, behavior, ...spec }: Unvalidated<v2.HorizontalPodAutoscalerSpec>,
  annotations: Annotations,
): Unvalidated<v1.HorizontalPodAutoscalerSpec> {
  // server-side apply also converts objects whose members it has removed or set to null
  const metrics = all ?? [];
  const out: Unvalidated<v1.HorizontalPodAutoscalerSpec> = spec;
  const target = metrics.map(targetCPUUtilization).find((utilization) => utilization !== undefined);
  if (target !== undefined) out.targetCPUUtilizationPercentage = target;
  const others = metrics.filter((metric) => targetCPUUtilization(metric) === undefined);
  annotate(annotations, metricsAnnotation, others.map(metricToV1));
  if (behavior) annotations[behaviorAnnotation] = JSON.stringify(behavior);
  return out;
}

function statusToV1(
  { currentMetrics, conditions, currentReplicas = 0, desiredReplicas = 0, ...rest }: Status,
  annotations: Annotations,
): Unvalidated<v1.HorizontalPodAutoscalerStatus> {
  const out: Unvalidated<v1.HorizontalPodAutoscalerStatus> = { ...rest, currentReplicas, desiredReplicas };
  const metrics = currentMetrics ?? [];
  const current = metrics.map(currentCPUUtilization).find((utilization) => utilization !== undefined);
  if (current !== undefined) out.currentCPUUtilizationPercentage = current;
  const others = metrics.filter((metric) => currentCPUUtilization(metric) === undefined);
  annotate(annotations, currentMetricsAnnotation, others.map(metricStatusToV1));
  annotate(annotations, conditionsAnnotation, conditions ?? []);
  return out;
}

export const horizontalPodAutoscalerV1: Conversion = { toStorage: autoscalerFromV1, fromStorage: autoscalerToV1 };

function annotate(annotations: Annotations, name: string, values: readonly object[]): void {
  if (values.length > 0) annotations[name] = JSON.stringify(values);
}

/** The objects of a JSON array. Their members are not checked: a client may have written the annotation. */
function parseList<T>(text: string | undefined): T[] {
  const value = parse(text);
  return Array.isArray(value) ? value.filter((item): boolean => isJsonObject(item)) : [];
}

function parse(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const membersAfterAnnotations: ReadonlySet<string> = new Set(['ownerReferences', 'finalizers', 'managedFields']);

/** Returns the metadata with its members in Go's order, without annotations if there are none. */
function withAnnotations(metadata: ObjectMeta, annotations: Annotations): ObjectMeta {
  const { annotations: _, ...rest } = metadata ?? {};
  const names = Object.keys(annotations).sort();
  if (names.length === 0) return rest;
  const sorted = Object.fromEntries(names.map((name) => [name, annotations[name]]));
  const members = Object.entries(rest);
  const split = members.findIndex(([name]) => membersAfterAnnotations.has(name));
  const before = split < 0 ? members : members.slice(0, split);
  return { ...Object.fromEntries(before), annotations: sorted, ...Object.fromEntries(members.slice(before.length)) };
}
