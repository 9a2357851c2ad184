import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import { htmlSafe } from '../../../machinery/json/html-safe.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { type Decode, integer, list, quantity, struct, text, textMap, time } from './annotation-values.ts';

/**
 * Annotations of autoscaling/v1 with the fields that only autoscaling/v2 has, as JSON. Values with wrong types are
 * ignored. (pkg/apis/autoscaling/annotations.go)
 */

export type Annotations = Record<string, string>;
type Behavior = Unvalidated<v2.HorizontalPodAutoscalerBehavior>;
type ScalingRules = Unvalidated<v2.HPAScalingRules>;

const prefix = 'autoscaling.alpha.kubernetes.io/';
const metricsAnnotation = `${prefix}metrics`;
const currentMetricsAnnotation = `${prefix}current-metrics`;
const conditionsAnnotation = `${prefix}conditions`;
const behaviorAnnotation = `${prefix}behavior`;
const roundTripAnnotations: readonly string[] = [
  metricsAnnotation,
  behaviorAnnotation,
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
  currentMetricsAnnotation,
  conditionsAnnotation,
];

/** Returns a copy without these annotations. (DropRoundTripHorizontalPodAutoscalerAnnotations) */
export function dropRoundTripAnnotations(annotations: Readonly<Annotations> | undefined): Annotations {
  const others = { ...annotations };
  for (const name of roundTripAnnotations) delete others[name];
  return others;
}

export const hasRoundTripAnnotations = (annotations: Readonly<Annotations> | undefined): boolean =>
  annotations !== undefined && roundTripAnnotations.some((name) => name in annotations);

/** The values of the annotations. */
export interface Annotated {
  readonly metrics?: readonly Unvalidated<v1.MetricSpec>[] | undefined;
  readonly behavior?: Behavior | undefined;
  readonly currentMetrics?: readonly Unvalidated<v1.MetricStatus>[] | undefined;
  readonly conditions?: readonly Unvalidated<v2.HorizontalPodAutoscalerCondition>[] | undefined;
}

/** Adds annotations for values that are not empty. */
export function annotate(annotations: Annotations, annotated: Annotated): void {
  const { metrics = [], behavior, currentMetrics = [], conditions = [] } = annotated;
  if (metrics.length > 0) annotations[metricsAnnotation] = encode(metrics);
  if (currentMetrics.length > 0) annotations[currentMetricsAnnotation] = encode(currentMetrics);
  if (behavior) annotations[behaviorAnnotation] = encode(internalBehavior(behavior));
  if (conditions.length > 0) annotations[conditionsAnnotation] = encode(conditions);
}

const encode = (value: unknown): string => htmlSafe(JSON.stringify(value));

/** Returns a behavior as upstream writes its internal type, whose fields have no tags. */
const internalBehavior = ({ scaleUp, scaleDown }: Behavior): object => ({
  ScaleUp: internalRules(scaleUp),
  ScaleDown: internalRules(scaleDown),
});

const internalRules = (rules: ScalingRules | undefined): object | null =>
  rules
    ? {
        StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
        SelectPolicy: rules.selectPolicy ?? null,
        Policies:
          rules.policies?.map(({ type = '', value = 0, periodSeconds = 0 }) => ({
            Type: type,
            Value: value,
            PeriodSeconds: periodSeconds,
          })) ?? null,
        Tolerance: rules.tolerance ?? null,
      }
    : null;

/** Reads the values of the annotations. */
export function readAnnotations(annotations: Readonly<Annotations> | undefined): Annotated {
  const behavior = decode(annotations?.[behaviorAnnotation], (value) => decodeBehavior(withSmallNames(value)));
  return {
    metrics: decode(annotations?.[metricsAnnotation], list(metricSpec)),
    currentMetrics: decode(annotations?.[currentMetricsAnnotation], list(metricStatus)),
    conditions: decode(annotations?.[conditionsAnnotation], list(condition)),
    ...(behavior?.scaleUp || behavior?.scaleDown ? { behavior } : {}),
  };
}

function decode<T>(json: string | undefined, as: Decode<T>): T | undefined {
  if (json === undefined) return undefined;
  try {
    return as(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Returns the value with names that begin with a small letter: encoding/json finds a field in any letter case. */
function withSmallNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSmallNames);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), withSmallNames(member)]),
  );
}

const selector = struct({
  matchLabels: textMap,
  matchExpressions: list(struct({ key: text, operator: text, values: list(text) })),
});
const target = struct({ kind: text, name: text, apiVersion: text });
const resourceSource = { name: text, targetAverageUtilization: integer, targetAverageValue: quantity };
const resourceStatus = { name: text, currentAverageUtilization: integer, currentAverageValue: quantity };

const metricSpec: Decode<Unvalidated<v1.MetricSpec>> = struct({
  type: text,
  object: struct({ target, metricName: text, targetValue: quantity, selector, averageValue: quantity }),
  pods: struct({ metricName: text, targetAverageValue: quantity, selector }),
  resource: struct(resourceSource),
  containerResource: struct({ ...resourceSource, container: text }),
  external: struct({ metricName: text, metricSelector: selector, targetValue: quantity, targetAverageValue: quantity }),
});

const metricStatus: Decode<Unvalidated<v1.MetricStatus>> = struct({
  type: text,
  object: struct({ target, metricName: text, currentValue: quantity, selector, averageValue: quantity }),
  pods: struct({ metricName: text, currentAverageValue: quantity, selector }),
  resource: struct(resourceStatus),
  containerResource: struct({ ...resourceStatus, container: text }),
  external: struct({
    metricName: text,
    metricSelector: selector,
    currentValue: quantity,
    currentAverageValue: quantity,
  }),
});

const conditionFields = struct({ type: text, status: text, lastTransitionTime: time, reason: text, message: text });
const condition: Decode<Unvalidated<v2.HorizontalPodAutoscalerCondition>> = (value) => {
  const { type = '', status = '', lastTransitionTime = null, ...rest } = conditionFields(value) ?? {};
  return { type, status, lastTransitionTime, ...rest };
};

const rules = struct({
  stabilizationWindowSeconds: integer,
  selectPolicy: text,
  policies: list(struct({ type: text, value: integer, periodSeconds: integer })),
  tolerance: quantity,
});
const decodeBehavior: Decode<Behavior> = struct({ scaleUp: rules, scaleDown: rules });
