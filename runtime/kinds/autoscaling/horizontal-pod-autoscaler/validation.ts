import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateNonnegativeField } from '../../validation/fields.ts';
import { autoscalerFromV1, type HorizontalPodAutoscaler } from './conversion.ts';

/** (pkg/apis/autoscaling/validation/validation.go) */

type MetricSpec = Unvalidated<v2.MetricSpec>;

/** The member of each type of metric. */
const metricSources = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const satisfies Readonly<Record<string, keyof MetricSpec>>;

type MetricType = keyof typeof metricSources;

const isMetricType = (type: string): type is MetricType => Object.hasOwn(metricSources, type);

/** (validateHorizontalPodAutoscalerSpec) */
export function validateHorizontalPodAutoscaler(
  { spec = {} }: Pick<HorizontalPodAutoscaler, 'spec'>,
  field: Field,
): void {
  const at = field.child('spec');
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {} } = spec;
  if (minReplicas !== undefined && minReplicas < 1) {
    at.child('minReplicas').invalid(minReplicas, 'must be greater than or equal to 1');
  }
  if (maxReplicas < 1) at.child('maxReplicas').invalid(maxReplicas, 'must be greater than 0');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    at.child('maxReplicas').invalid(maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  for (const name of ['kind', 'name'] as const) {
    if (!scaleTargetRef[name]) at.child('scaleTargetRef', name).required();
  }
  for (const [index, metric] of (spec.metrics ?? []).entries()) {
    validateMetricSpec(metric, at.child('metrics').index(index));
  }
  for (const direction of ['scaleUp', 'scaleDown'] as const) {
    validateScalingRules(spec.behavior?.[direction], at.child('behavior', direction));
  }
}

/** Objects of version 1 are validated as version 2, so errors name the fields of version 2. */
export function validateHorizontalPodAutoscalerV1(autoscaler: v1.HorizontalPodAutoscaler, field: Field): void {
  validateHorizontalPodAutoscaler(autoscalerFromV1(autoscaler), field);
}

function validateMetricSpec(metric: MetricSpec, field: Field): void {
  const { type = '' } = metric;
  if (type === '') {
    field.child('type').required('must specify a metric source type');
    return;
  }
  if (!isMetricType(type)) {
    field.child('type').notSupported(type, Object.keys(metricSources));
    return;
  }
  const expected = metricSources[type];
  if (!metric[expected]) {
    field.child(expected).required('must populate information for the given metric source');
  }
  for (const name of Object.values(metricSources)) {
    if (name !== expected && metric[name] !== undefined) {
      field.child(name).forbidden('must populate the given metric source only');
    }
  }
  const at = field.child(expected);
  if (expected === 'resource' || expected === 'containerResource') validateResourceSource(metric[expected], at);
  else if (metric[expected] && !metric[expected].metric?.name) {
    at.child('metric', 'name').required('must specify a metric name');
  }
}

/** (validateResourceSource, validateContainerResourceSource) */
function validateResourceSource(source: Unvalidated<v2.ResourceMetricSource> | undefined, field: Field): void {
  if (!source) return;
  if (!source.name) field.child('name').required('must specify a resource name');
  const { averageUtilization, averageValue } = source.target ?? {};
  const at = field.child('target');
  if (averageUtilization === undefined && averageValue === undefined) {
    at.child('averageUtilization').required('must set either a target raw value or a target utilization');
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    at.child('averageValue').forbidden('may not set both a target raw value and a target utilization');
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    at.child('averageUtilization').invalid(averageUtilization, 'must be greater than 0');
  }
}

const maxStabilizationWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

function validateScalingRules(rules: Unvalidated<v2.HPAScalingRules> | undefined, field: Field): void {
  if (!rules) return;
  const { stabilizationWindowSeconds: seconds, policies } = rules;
  const window = field.child('stabilizationWindowSeconds');
  validateNonnegativeField(seconds, window);
  if (seconds !== undefined && seconds > maxStabilizationWindowSeconds) {
    window.invalid(seconds, `must be less than or equal to ${maxStabilizationWindowSeconds}`);
  }
  const at = field.child('policies');
  if (!policies?.length) at.required('must specify at least one Policy');
  for (const [index, policy] of (policies ?? []).entries()) validateScalingPolicy(policy, at.index(index));
}

function validateScalingPolicy(policy: Unvalidated<v2.HPAScalingPolicy>, field: Field): void {
  const { type = '', value = 0, periodSeconds = 0 } = policy;
  if (type !== 'Pods' && type !== 'Percent') field.child('type').notSupported(type, ['Percent', 'Pods']);
  if (value <= 0) field.child('value').invalid(value, 'must be greater than zero');
  if (periodSeconds <= 0) field.child('periodSeconds').invalid(periodSeconds, 'must be greater than zero');
  if (periodSeconds > maxPeriodSeconds) {
    field.child('periodSeconds').invalid(periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`);
  }
}
