import type * as policy from '../../../generated/v1.35/policy/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateConditions } from '../validation/conditions.ts';
import { isNotMoreThan100Percent, validateEnum, validateNonnegativeField, validatePositiveIntOrPercent } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';
import { hasInvalidLabelValueInLabelSelector, type LabelSelectorValidationOptions, validateLabelSelector } from '../validation/labels.ts';

type PodDisruptionBudget = Unvalidated<policy.PodDisruptionBudget>;

/** (pkg/registry/policy/poddisruptionbudget/strategy.go) */
export const podDisruptionBudgetStrategy: RESTStrategy = {
  validateCreate: ({ spec }: PodDisruptionBudget, errors) =>
    validatePodDisruptionBudgetSpec(spec ?? {}, Field.at(FieldPath.of('spec'), errors), {}),
  validateUpdate({ spec, status }: PodDisruptionBudget, old: PodDisruptionBudget, errors, { part }) {
    if (part === 'status') {
      validatePodDisruptionBudgetStatus(status ?? {}, Field.at(FieldPath.of('status'), errors));
      return;
    }
    const allowInvalidLabelValueInSelector = hasInvalidLabelValueInLabelSelector(old.spec?.selector);
    const field = Field.at(FieldPath.of('spec'), errors);
    validatePodDisruptionBudgetSpec(spec ?? {}, field, { allowInvalidLabelValueInSelector });
  },
};

const internalSpec: Shape = {
  minAvailable: null,
  selector: null,
  maxUnavailable: null,
  unhealthyPodEvictionPolicy: null,
};

/** (pkg/apis/policy/validation) */
function validatePodDisruptionBudgetSpec(
  spec: Unvalidated<policy.PodDisruptionBudgetSpec>,
  field: Field,
  options: LabelSelectorValidationOptions,
): void {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: unhealthy } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    field.invalid(internalStruct(spec, internalSpec), 'minAvailable and maxUnavailable cannot be both set');
  }
  validatePositiveIntOrPercent(minAvailable, field.child('minAvailable'));
  isNotMoreThan100Percent(minAvailable, field.child('minAvailable'));
  validatePositiveIntOrPercent(maxUnavailable, field.child('maxUnavailable'));
  isNotMoreThan100Percent(maxUnavailable, field.child('maxUnavailable'));
  validateLabelSelector(spec.selector, field.child('selector'), options);
  if (unhealthy !== undefined) {
    validateEnum(unhealthy, ['AlwaysAllow', 'IfHealthyBudget'], field.child('unhealthyPodEvictionPolicy'));
  }
}

/** (ValidatePodDisruptionBudgetStatusUpdate) */
function validatePodDisruptionBudgetStatus(status: Unvalidated<policy.PodDisruptionBudgetStatus>, field: Field): void {
  validateConditions(status.conditions ?? [], field.child('conditions'));
  for (const name of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const) {
    validateNonnegativeField(status[name], field.child(name));
  }
}

export const disruptionMinAvailable = ({ spec }: PodDisruptionBudget): string => String(spec?.minAvailable ?? 'N/A');
export const disruptionMaxUnavailable = ({ spec }: PodDisruptionBudget): string => String(spec?.maxUnavailable ?? 'N/A');
