import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import type { Conversion } from '../../../machinery/resource.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { type Annotated, type Annotations, annotate, dropRoundTripAnnotations, readAnnotations } from './annotations.ts';
import { setHorizontalPodAutoscalerDefaults } from './defaults.ts';
import {
  currentCPUUtilization,
  metricFromV1,
  metricStatusFromV1,
  metricStatusToV1,
  metricToV1,
  targetCPUUtilization,
} from './metric-conversion.ts';

/**
 * autoscaling/v1 has fields for the utilization of CPU only, and annotations for the rest of autoscaling/v2.
 * (pkg/apis/autoscaling/v1/conversion.go)
 */

interface Status extends Omit<Unvalidated<v2.HorizontalPodAutoscalerStatus>, 'currentMetrics'> {
  /** Go writes an empty list as null. */
  currentMetrics?: Unvalidated<v2.MetricStatus>[] | null;
}

/** A HorizontalPodAutoscaler of autoscaling/v2, from a client or from a conversion. */
export interface HorizontalPodAutoscaler extends Omit<Unvalidated<v2.HorizontalPodAutoscaler>, 'metadata' | 'status'> {
  metadata: ObjectMeta;
  status?: Status;
}

/** The stored objects that objects of v1 come from, until these are converted back. */
const origins = new WeakMap<object, HorizontalPodAutoscaler>();

/** Returns the object of autoscaling/v2 that an object of v1 stands for. v1 does not have the order of the metrics. */
export const originOf = (autoscaler: v1.HorizontalPodAutoscaler): HorizontalPodAutoscaler =>
  origins.get(autoscaler) ?? autoscalerFromV1(autoscaler);

export function autoscalerFromV1(autoscaler: v1.HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  // it may have changed
  origins.delete(autoscaler);
  const { annotations } = autoscaler.metadata ?? {};
  const annotated = readAnnotations(annotations);
  const spec = specFromV1(autoscaler.spec ?? {}, annotated);
  const status = statusFromV1(autoscaler.status ?? {}, annotated);
  const metadata = withAnnotations(autoscaler.metadata, dropRoundTripAnnotations(annotations));
  return { ...autoscaler, apiVersion: 'autoscaling/v2', metadata, spec, status };
}

function specFromV1(spec: Unvalidated<v1.HorizontalPodAutoscalerSpec>, annotated: Annotated): Unvalidated<v2.HorizontalPodAutoscalerSpec> {
  const { targetCPUUtilizationPercentage: averageUtilization, ...rest } = spec;
  const out: Unvalidated<v2.HorizontalPodAutoscalerSpec> = rest;
  const metrics = (annotated.metrics ?? []).map(metricFromV1);
  if (averageUtilization !== undefined) {
    metrics.push({ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } });
  }
  if (metrics.length > 0) out.metrics = metrics;
  setHorizontalPodAutoscalerDefaults(out);
  if (annotated.behavior) out.behavior = annotated.behavior;
  return out;
}

function statusFromV1(status: Unvalidated<v1.HorizontalPodAutoscalerStatus>, annotated: Annotated): Status {
  const { currentCPUUtilizationPercentage, currentReplicas, desiredReplicas = 0, ...rest } = status;
  // these metrics include the field's value
  const currentMetrics = annotated.currentMetrics?.map(metricStatusFromV1) ?? [];
  if (annotated.currentMetrics === undefined && currentCPUUtilizationPercentage !== undefined) {
    const current = { averageUtilization: currentCPUUtilizationPercentage };
    currentMetrics.push({ type: 'Resource', resource: { name: 'cpu', current } });
  }
  return {
    ...rest,
    ...(currentReplicas ? { currentReplicas } : {}),
    desiredReplicas,
    currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
    ...(annotated.conditions?.length ? { conditions: [...annotated.conditions] } : {}),
  };
}

function autoscalerToV1(autoscaler: HorizontalPodAutoscaler): Unvalidated<v1.HorizontalPodAutoscaler> & {
  metadata: ObjectMeta;
} {
  const annotations = dropRoundTripAnnotations(autoscaler.metadata?.annotations);
  const { metrics, behavior, ...rest } = autoscaler.spec ?? {};
  const { currentMetrics, conditions, currentReplicas = 0, desiredReplicas = 0, ...others } = autoscaler.status ?? {};
  // server-side apply also converts objects from which it removed members or set them to null
  const specs = metrics ?? [];
  const statuses = currentMetrics ?? [];
  const spec: Unvalidated<v1.HorizontalPodAutoscalerSpec> = rest;
  const target = specs.map(targetCPUUtilization).find((utilization) => utilization !== undefined);
  if (target !== undefined) spec.targetCPUUtilizationPercentage = target;
  const status: Unvalidated<v1.HorizontalPodAutoscalerStatus> = { ...others, currentReplicas, desiredReplicas };
  const current = statuses.map(currentCPUUtilization).findLast((utilization) => utilization !== undefined);
  if (current !== undefined) status.currentCPUUtilizationPercentage = current;
  annotate(annotations, {
    metrics: specs.filter((metric) => targetCPUUtilization(metric) === undefined).map(metricToV1),
    currentMetrics: statuses.map(metricStatusToV1),
    conditions: conditions ?? [],
    behavior,
  });
  const metadata = withAnnotations(autoscaler.metadata, annotations);
  const converted = { ...autoscaler, apiVersion: 'autoscaling/v1', spec, status, metadata };
  origins.set(converted, autoscaler);
  return converted;
}

export const horizontalPodAutoscalerV1: Conversion = { toStorage: autoscalerFromV1, fromStorage: autoscalerToV1 };

const membersAfterAnnotations: ReadonlySet<string> = new Set(['ownerReferences', 'finalizers', 'managedFields']);

/** Returns the metadata with its members in Go's order. Leaves out empty annotations. */
function withAnnotations(metadata: ObjectMeta, annotations: Annotations): ObjectMeta {
  const { annotations: _, ...rest } = metadata ?? {};
  const names = Object.keys(annotations).sort();
  if (names.length === 0) return rest;
  const sorted = Object.fromEntries(names.map((name) => [name, annotations[name] ?? '']));
  const members = Object.entries(rest);
  const split = members.findIndex(([name]) => membersAfterAnnotations.has(name));
  const before = split < 0 ? members : members.slice(0, split);
  return { ...Object.fromEntries(before), annotations: sorted, ...Object.fromEntries(members.slice(before.length)) };
}
