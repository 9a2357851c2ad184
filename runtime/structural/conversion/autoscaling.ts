import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Conversion } from '../../machinery/resource.ts';
import {
  isCpuUtilization,
  metricFromV1,
  metricStatusFromV1,
  metricStatusToV1,
  metricToV1,
} from './autoscaling-metrics.ts';

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
  if (object.status || currentMetrics || conditions) {
    const { currentCPUUtilizationPercentage: current, ...status } = object.status ?? {};
    const statusMetrics = [
      ...list(currentMetrics).map(metricStatusFromV1),
      ...(current === undefined ? [] : [cpu({ current: { averageUtilization: current } })]),
    ];
    if (statusMetrics.length > 0) status.currentMetrics = statusMetrics;
    if (list(conditions).length > 0) status.conditions = conditions;
    out.status = status;
  }
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
  if (object.status) {
    const { currentMetrics, conditions, ...status } = object.status;
    const current = list(currentMetrics);
    const cpuStatus = current.find((metric) => isCpuUtilization(metric, 'current'));
    if (cpuStatus) status.currentCPUUtilizationPercentage = cpuStatus.resource.current.averageUtilization;
    const others = current.filter((metric) => !isCpuUtilization(metric, 'current'));
    carry(annotations, currentMetricsAnnotation, others.map(metricStatusToV1));
    carry(annotations, conditionsAnnotation, list(conditions));
    out.status = status;
  }
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

/** Without an empty map. */
function withAnnotations(metadata: KubeObject['metadata'], annotations: Part): KubeObject['metadata'] {
  const { annotations: _, ...rest } = metadata ?? {};
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}
