import type { Part } from '../../machinery/object.ts';
import { forbidden, invalid, notSupported, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateNonnegativeField } from '../validation/fields.ts';
import { autoscalerFromV1 } from './conversion.ts';

/** (pkg/apis/autoscaling/validation/validation.go) */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

export function validateHorizontalPodAutoscaler(autoscaler: Part, path: FieldPath, errors: Errors): void {
  const spec = autoscaler.spec ?? {};
  const at = path.child('spec');
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {} } = spec;
  if (minReplicas !== undefined && minReplicas < 1) {
    errors.push(invalid(at.child('minReplicas'), minReplicas, 'must be greater than or equal to 1'));
  }
  if (maxReplicas < 1) errors.push(invalid(at.child('maxReplicas'), maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = 'must be greater than or equal to `minReplicas`';
    errors.push(invalid(at.child('maxReplicas'), maxReplicas, detail));
  }
  for (const name of ['kind', 'name']) {
    if (!scaleTargetRef[name]) errors.push(required(at.child('scaleTargetRef', name)));
  }
  for (const [index, metric] of (spec.metrics ?? []).entries()) {
    validateMetricSpec(metric, at.child('metrics').index(index), errors);
  }
  for (const direction of ['scaleUp', 'scaleDown']) {
    validateHPAScalingRules(spec.behavior?.[direction], at.child('behavior', direction), errors);
  }
}

/** Version 1 is judged by what it says in version 2. */
export function validateHorizontalPodAutoscalerV1(autoscaler: Part, path: FieldPath, errors: Errors): void {
  validateHorizontalPodAutoscaler(autoscalerFromV1(autoscaler), path, errors);
}

function validateMetricSpec(metric: Part, path: FieldPath, errors: Errors): void {
  const type = metric.type ?? '';
  if (type === '') {
    errors.push(required(path.child('type'), 'must specify a metric source type'));
    return;
  }
  if (!Object.hasOwn(sources, type)) {
    errors.push(notSupported(path.child('type'), type, Object.keys(sources)));
    return;
  }
  const expected = sources[type] as string;
  if (!metric[expected]) {
    errors.push(required(path.child(expected), 'must populate information for the given metric source'));
  }
  for (const name of Object.values(sources)) {
    if (name !== expected && metric[name] !== undefined) {
      errors.push(forbidden(path.child(name), 'must populate the given metric source only'));
    }
  }
  const at = path.child(expected);
  if (type === 'Resource' || type === 'ContainerResource') validateResourceMetricSource(metric[expected], at, errors);
  else if (metric[expected] && !metric[expected].metric?.name) {
    errors.push(required(at.child('metric', 'name'), 'must specify a metric name'));
  }
}

function validateResourceMetricSource(source: Part, path: FieldPath, errors: Errors): void {
  if (!source) return;
  if (!source.name) errors.push(required(path.child('name'), 'must specify a resource name'));
  const { averageUtilization, averageValue } = source.target ?? {};
  const at = path.child('target');
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(at.child('averageUtilization'), detail));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbidden(at.child('averageValue'), detail));
  }
  if (averageUtilization < 1) {
    errors.push(invalid(at.child('averageUtilization'), averageUtilization, 'must be greater than 0'));
  }
}

const maxWindow = 3600;
const maxPeriod = 1800;

function validateHPAScalingRules(rules: Part, path: FieldPath, errors: Errors): void {
  if (!rules) return;
  const window = rules.stabilizationWindowSeconds;
  validateNonnegativeField(window, path.child('stabilizationWindowSeconds'), errors);
  if (window > maxWindow) {
    const detail = `must be less than or equal to ${maxWindow}`;
    errors.push(invalid(path.child('stabilizationWindowSeconds'), window, detail));
  }
  const at = path.child('policies');
  if (!rules.policies?.length) errors.push(required(at, 'must specify at least one Policy'));
  for (const [index, { type, value = 0, periodSeconds = 0 }] of (rules.policies ?? []).entries()) {
    const each = at.index(index);
    if (type !== 'Pods' && type !== 'Percent') {
      errors.push(notSupported(each.child('type'), type ?? '', ['Percent', 'Pods']));
    }
    if (value <= 0) errors.push(invalid(each.child('value'), value, 'must be greater than zero'));
    if (periodSeconds <= 0)
      errors.push(invalid(each.child('periodSeconds'), periodSeconds, 'must be greater than zero'));
    if (periodSeconds > maxPeriod) {
      const detail = `must be less than or equal to ${maxPeriod}`;
      errors.push(invalid(each.child('periodSeconds'), periodSeconds, detail));
    }
  }
}
