import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';
import {
  isCpuUtilization,
  metricFromV1,
  metricStatusFromV1,
  metricStatusToV1,
  metricToV1,
} from './metric-conversion.ts';

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const currentMetricsAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';
const roundTrip = [metricsAnnotation, currentMetricsAnnotation, conditionsAnnotation, behaviorAnnotation];

/**
 * A HorizontalPodAutoscaler of autoscaling/v1 in v2. Version 1 knows CPU utilization only; all else it carries in
 * annotations, as JSON. An annotation that is no JSON is as good as none. (pkg/apis/autoscaling/v1/conversion.go)
 */
export function autoscalerFromV1(object: KubeObject): KubeObject {
  const annotations: Part = { ...object.metadata?.annotations };
  const carried = roundTrip.map((name) => parse(annotations[name]));
  for (const name of roundTrip) delete annotations[name];
  const [metrics, currentMetrics, conditions, behavior] = carried;
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec ?? {};
  const out: KubeObject = {
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(object.metadata, annotations),
    spec,
  };
  const specMetrics = [
    ...list(metrics).map(metricFromV1),
    ...(target === undefined ? [] : [cpu({ target: { type: 'Utilization', averageUtilization: target } })]),
  ];
  if (specMetrics.length > 0) out.spec.metrics = specMetrics;
  if (isObject(behavior)) out.spec.behavior = behavior;
  const { currentCPUUtilizationPercentage: current, currentReplicas, desiredReplicas, ...status } = object.status ?? {};
  const statusMetrics = [
    ...list(currentMetrics).map(metricStatusFromV1),
    ...(current === undefined ? [] : [cpu({ current: { averageUtilization: current } })]),
  ];
  out.status = {
    ...status,
    ...(currentReplicas ? { currentReplicas } : {}),
    desiredReplicas: desiredReplicas ?? 0,
    currentMetrics: statusMetrics.length > 0 ? statusMetrics : null,
    ...(list(conditions).length > 0 ? { conditions } : {}),
  };
  return out;
}

/** The way back; what version 1 has no field for goes into annotations. */
export function autoscalerToV1(object: KubeObject): KubeObject {
  const annotations: Part = { ...object.metadata?.annotations };
  const { metrics, behavior, ...spec } = object.spec ?? {};
  const out: KubeObject = { ...object, apiVersion: 'autoscaling/v1', spec };
  const all = list(metrics);
  const cpuMetric = all.find((metric) => isCpuUtilization(metric, 'target'));
  if (cpuMetric) spec.targetCPUUtilizationPercentage = cpuMetric.resource.target.averageUtilization;
  carry(annotations, metricsAnnotation, all.filter((metric) => !isCpuUtilization(metric, 'target')).map(metricToV1));
  if (behavior) annotations[behaviorAnnotation] = JSON.stringify(behavior);
  const { currentMetrics, conditions, currentReplicas, desiredReplicas, ...status } = object.status ?? {};
  out.status = { ...status, currentReplicas: currentReplicas ?? 0, desiredReplicas: desiredReplicas ?? 0 };
  const current = list(currentMetrics);
  const cpuStatus = current.find((metric) => isCpuUtilization(metric, 'current'));
  if (cpuStatus) out.status.currentCPUUtilizationPercentage = cpuStatus.resource.current.averageUtilization;
  const others = current.filter((metric) => !isCpuUtilization(metric, 'current'));
  carry(annotations, currentMetricsAnnotation, others.map(metricStatusToV1));
  carry(annotations, conditionsAnnotation, list(conditions));
  out.metadata = withAnnotations(object.metadata, annotations);
  return out;
}

export const horizontalPodAutoscalerV1: Conversion = { toStorage: autoscalerFromV1, fromStorage: autoscalerToV1 };

const cpu = (side: Part): Part => ({ type: 'Resource', resource: { name: 'cpu', ...side } });

const list = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function carry(annotations: Part, name: string, values: readonly Part[]): void {
  if (values.length > 0) annotations[name] = JSON.stringify(values);
}

function parse(text: unknown): Part {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const afterAnnotations: ReadonlySet<string> = new Set(['ownerReferences', 'finalizers', 'managedFields']);

/** In Go's order, and without an empty map. */
function withAnnotations(metadata: KubeObject['metadata'], annotations: Part): KubeObject['metadata'] {
  const { annotations: _, ...rest } = metadata ?? {};
  const names = Object.keys(annotations).sort();
  if (names.length === 0) return rest;
  const sorted = Object.fromEntries(names.map((name) => [name, annotations[name]]));
  const fields = Object.entries(rest);
  const split = fields.findIndex(([name]) => afterAnnotations.has(name));
  const before = split < 0 ? fields : fields.slice(0, split);
  return { ...Object.fromEntries(before), annotations: sorted, ...Object.fromEntries(fields.slice(before.length)) };
}
