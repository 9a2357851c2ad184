import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateNonnegativeQuantity } from '../../core/resource-list.ts';
import { validateEnum, validateNonnegativeField } from '../../validation/fields.ts';
import { validateMetricSpec } from './metric-validation.ts';
import { apiVersionProblem, type ReferenceOptions, validateCrossVersionObjectReference } from './object-reference.ts';

/** (pkg/apis/autoscaling/validation/validation.go) */

type Spec = Unvalidated<v2.HorizontalPodAutoscalerSpec>;

/** (HorizontalPodAutoscalerSpecValidationOptions) */
interface ValidationOptions {
  readonly minReplicasLowerBound: 0 | 1;
  readonly scaleTargetRef: ReferenceOptions;
  readonly objectMetrics: ReferenceOptions;
}

/**
 * An update may keep the errors of a reference. (validationOptionsForHorizontalPodAutoscaler)
 *
 * @param old undefined for a new autoscaler
 */
export function validationOptions({ scaleTargetRef: target = {} }: Spec, old: Spec | undefined): ValidationOptions {
  const { scaleTargetRef: oldTarget = {} } = old ?? {};
  const isSameTarget =
    old !== undefined && (target.apiVersion ?? '') === (oldTarget.apiVersion ?? '') && (target.kind ?? '') === (oldTarget.kind ?? '');
  const objectMetrics = { allowInvalidAPIVersion: false, allowEmptyAPIGroup: true };
  const hasInvalidMetric = old?.metrics?.some(
    ({ type, object }) => type === 'Object' && object && apiVersionProblem(object.describedObject ?? {}, objectMetrics) !== undefined,
  );
  return {
    minReplicasLowerBound: old?.minReplicas === 0 ? 0 : 1,
    scaleTargetRef: {
      allowInvalidAPIVersion: isSameTarget,
      allowEmptyAPIGroup: target.kind === 'ReplicationController',
    },
    objectMetrics: hasInvalidMetric ? { ...objectMetrics, allowInvalidAPIVersion: true } : objectMetrics,
  };
}

/** (validateHorizontalPodAutoscalerSpec) */
export function validateHorizontalPodAutoscalerSpec(spec: Spec, field: Field, options: ValidationOptions): void {
  const { minReplicas, maxReplicas = 0, behavior } = spec;
  const { minReplicasLowerBound: bound } = options;
  if (minReplicas !== undefined && minReplicas < bound) {
    field.child('minReplicas').invalid(minReplicas, `must be greater than or equal to ${bound}`);
  }
  if (maxReplicas < 1) field.child('maxReplicas').invalid(maxReplicas, 'must be greater than 0');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    field.child('maxReplicas').invalid(maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  validateCrossVersionObjectReference(spec.scaleTargetRef ?? {}, field.child('scaleTargetRef'), options.scaleTargetRef);
  validateMetrics(spec, field.child('metrics'), options.objectMetrics);
  if (!behavior) return;
  validateScalingRules(behavior.scaleUp, field.child('behavior', 'scaleUp'));
  validateScalingRules(behavior.scaleDown, field.child('behavior', 'scaleDown'));
}

/** An autoscaler that scales to zero can only come from a server with the gate HPAScaleToZero. */
function validateMetrics({ metrics, minReplicas }: Spec, field: Field, options: ReferenceOptions): void {
  let canScaleToZero = false;
  for (const [index, metric] of (metrics ?? []).entries()) {
    validateMetricSpec(metric, field.index(index), options);
    if (metric.type === 'Object' || metric.type === 'External') canScaleToZero = true;
  }
  if (minReplicas === 0 && !canScaleToZero) {
    field.forbidden('must specify at least one Object or External metric to support scaling to zero replicas');
  }
}

const maxStabilizationWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

function validateScalingRules(rules: Unvalidated<v2.HPAScalingRules> | undefined, field: Field): void {
  if (!rules) return;
  const { stabilizationWindowSeconds: seconds = 0, selectPolicy, policies, tolerance } = rules;
  const window = field.child('stabilizationWindowSeconds');
  if (seconds < 0) window.invalid(seconds, 'must be greater than or equal to zero');
  if (seconds > maxStabilizationWindowSeconds) {
    window.invalid(seconds, `must be less than or equal to ${maxStabilizationWindowSeconds}`);
  }
  if (selectPolicy !== undefined) validateEnum(selectPolicy, ['Disabled', 'Max', 'Min'], field.child('selectPolicy'));
  const at = field.child('policies');
  if (!policies?.length) at.required('must specify at least one Policy');
  for (const [index, policy] of (policies ?? []).entries()) validateScalingPolicy(policy, at.index(index));
  if (tolerance !== undefined) validateNonnegativeQuantity(tolerance, field.child('tolerance'));
}

function validateScalingPolicy(policy: Unvalidated<v2.HPAScalingPolicy>, field: Field): void {
  const { type = '', value = 0, periodSeconds = 0 } = policy;
  validateEnum(type, ['Percent', 'Pods'], field.child('type'));
  if (value <= 0) field.child('value').invalid(value, 'must be greater than zero');
  if (periodSeconds <= 0) field.child('periodSeconds').invalid(periodSeconds, 'must be greater than zero');
  if (periodSeconds > maxPeriodSeconds) {
    field.child('periodSeconds').invalid(periodSeconds, `must be less than or equal to ${maxPeriodSeconds}`);
  }
}

interface ReplicaCounts {
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
}

/** (ValidateHorizontalPodAutoscalerStatusUpdate) */
export function validateHorizontalPodAutoscalerStatus({ currentReplicas, desiredReplicas }: ReplicaCounts, field: Field): void {
  validateNonnegativeField(currentReplicas, field.child('currentReplicas'));
  validateNonnegativeField(desiredReplicas, field.child('desiredReplicas'));
}
