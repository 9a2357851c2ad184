import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateEnum } from '../../validation/fields.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import { validateMatchLabelKeysAndMismatchLabelKeys, validateMatchLabelKeysInTopologySpread } from './label-keys.ts';
import type { PodValidationOptions } from './validation-options.ts';

type SpreadConstraint = Unvalidated<core.TopologySpreadConstraint>;

/** (pkg/apis/core/validation, validateTopologySpreadConstraints) */
export function validateTopologySpreadConstraints(
  constraints: readonly SpreadConstraint[],
  field: Field,
  options: PodValidationOptions,
): void {
  if (constraints.length === 0) return;
  const lastIndexes = new Map(constraints.map((constraint, index) => [pairOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = field.index(index);
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint;
    if (maxSkew <= 0) at.child('maxSkew').invalid(maxSkew, 'must be greater than zero');
    if (topologyKey === '') at.child('topologyKey').required('can not be empty');
    validateEnum(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], at.child('whenUnsatisfiable'));
    const pair = pairOf(constraint);
    if ((lastIndexes.get(pair) ?? 0) > index) at.child('{topologyKey, whenUnsatisfiable}').duplicate(pair);
    validateMinDomains(constraint, at.child('minDomains'));
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[name];
      if (policy !== undefined) validateEnum(policy, ['Honor', 'Ignore'], at.child(name));
    }
    if (options.oldPodViolatesMatchLabelKeysValidation) {
      validateMatchLabelKeysInTopologySpread(constraint, at.child('matchLabelKeys'));
    } else {
      const { matchLabelKeys, labelSelector } = constraint;
      validateMatchLabelKeysAndMismatchLabelKeys({ matchLabelKeys, labelSelector }, at);
    }
    if (!options.allowInvalidTopologySpreadConstraintLabelSelector) {
      validateLabelSelector(constraint.labelSelector, at.child('labelSelector'));
    }
  }
}

const pairOf = ({ topologyKey = '', whenUnsatisfiable = '' }: SpreadConstraint): string => `{${topologyKey}, ${whenUnsatisfiable}}`;

/** (validateMinDomains) */
function validateMinDomains({ minDomains, whenUnsatisfiable = '' }: SpreadConstraint, field: Field): void {
  if (minDomains === undefined) return;
  if (minDomains <= 0) field.invalid(minDomains, 'must be greater than zero');
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    field.invalid(minDomains, detail);
  }
}
