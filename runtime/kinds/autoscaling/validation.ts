import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateNonnegativeField } from '../validation/fields.ts';
import { autoscalerFromV1 } from './conversion.ts';

/** (pkg/apis/autoscaling/validation/validation.go) */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

export function validateHorizontalPodAutoscaler(autoscaler: Part, field: Field): void {
  const spec = autoscaler.spec ?? {};
  const at = field.child('spec');
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {} } = spec;
  if (minReplicas !== undefined && minReplicas < 1) {
    at.child('minReplicas').invalid(minReplicas, 'must be greater than or equal to 1');
  }
  if (maxReplicas < 1) at.child('maxReplicas').invalid(maxReplicas, 'must be greater than 0');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = 'must be greater than or equal to `minReplicas`';
    at.child('maxReplicas').invalid(maxReplicas, detail);
  }
  for (const name of ['kind', 'name']) {
    if (!scaleTargetRef[name]) at.child('scaleTargetRef', name).required();
  }
  for (const [index, metric] of (spec.metrics ?? []).entries()) {
    validateMetricSpec(metric, at.child('metrics').index(index));
  }
  for (const direction of ['scaleUp', 'scaleDown']) {
    validateHPAScalingRules(spec.behavior?.[direction], at.child('behavior', direction));
  }
}

/** Version 1 is judged by what it says in version 2. */
export function validateHorizontalPodAutoscalerV1(autoscaler: Part, field: Field): void {
  validateHorizontalPodAutoscaler(autoscalerFromV1(autoscaler), field);
}

function validateMetricSpec(metric: Part, field: Field): void {
  const type = metric.type ?? '';
  if (type === '') {
    field.child('type').required('must specify a metric source type');
    return;
  }
  if (!Object.hasOwn(sources, type)) {
    field.child('type').notSupported(type, Object.keys(sources));
    return;
  }
  const expected = sources[type] as string;
  if (!metric[expected]) {
    field.child(expected).required('must populate information for the given metric source');
  }
  for (const name of Object.values(sources)) {
    if (name !== expected && metric[name] !== undefined) {
      field.child(name).forbidden('must populate the given metric source only');
    }
  }
  const at = field.child(expected);
  if (type === 'Resource' || type === 'ContainerResource') validateResourceMetricSource(metric[expected], at);
  else if (metric[expected] && !metric[expected].metric?.name) {
    at.child('metric', 'name').required('must specify a metric name');
  }
}

function validateResourceMetricSource(source: Part, field: Field): void {
  if (!source) return;
  if (!source.name) field.child('name').required('must specify a resource name');
  const { averageUtilization, averageValue } = source.target ?? {};
  const at = field.child('target');
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    at.child('averageUtilization').required(detail);
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    at.child('averageValue').forbidden(detail);
  }
  if (averageUtilization < 1) {
    at.child('averageUtilization').invalid(averageUtilization, 'must be greater than 0');
  }
}

const maxWindow = 3600;
const maxPeriod = 1800;

function validateHPAScalingRules(rules: Part, field: Field): void {
  if (!rules) return;
  const window = rules.stabilizationWindowSeconds;
  validateNonnegativeField(window, field.child('stabilizationWindowSeconds'));
  if (window > maxWindow) {
    const detail = `must be less than or equal to ${maxWindow}`;
    field.child('stabilizationWindowSeconds').invalid(window, detail);
  }
  const at = field.child('policies');
  if (!rules.policies?.length) at.required('must specify at least one Policy');
  for (const [index, { type, value = 0, periodSeconds = 0 }] of (rules.policies ?? []).entries()) {
    const each = at.index(index);
    if (type !== 'Pods' && type !== 'Percent') {
      each.child('type').notSupported(type ?? '', ['Percent', 'Pods']);
    }
    if (value <= 0) each.child('value').invalid(value, 'must be greater than zero');
    if (periodSeconds <= 0) each.child('periodSeconds').invalid(periodSeconds, 'must be greater than zero');
    if (periodSeconds > maxPeriod) {
      const detail = `must be less than or equal to ${maxPeriod}`;
      each.child('periodSeconds').invalid(periodSeconds, detail);
    }
  }
}
