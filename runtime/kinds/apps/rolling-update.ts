import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isNotMoreThan100Percent, validateNonnegativeField, validatePositiveIntOrPercent } from '../validation/fields.ts';
import { internalStruct, type Shape } from '../validation/internal-value.ts';

/** Update strategies of the kinds of apps. (pkg/apis/apps/validation/validation.go) */

type IntOrString = number | string | undefined;

/** Returns the number, or the number of a percentage; 0 for other texts. (getIntOrPercentValue) */
function intOrPercentValue(value: IntOrString): number {
  if (typeof value !== 'string') return value ?? 0;
  return /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0;
}

const unavailableAndSurge: Shape = { type: '', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } };

/** (ValidateDeploymentStrategy) */
export function validateDeploymentStrategy(strategy: Unvalidated<apps.DeploymentStrategy>, field: Field): void {
  const { type, rollingUpdate } = strategy;
  const at = field.child('rollingUpdate');
  if (type === 'Recreate') {
    if (rollingUpdate) at.forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate') validateRollingUpdateDeployment(rollingUpdate ?? {}, at);
  else field.notSupported(internalStruct(strategy, unavailableAndSurge), ['Recreate', 'RollingUpdate']);
}

/** (ValidateRollingUpdateDeployment) */
function validateRollingUpdateDeployment({ maxUnavailable, maxSurge }: Unvalidated<apps.RollingUpdateDeployment>, field: Field): void {
  const at = field.child('maxUnavailable');
  validatePositiveIntOrPercent(maxUnavailable, at);
  validatePositiveIntOrPercent(maxSurge, field.child('maxSurge'));
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    at.invalid(maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  isNotMoreThan100Percent(maxUnavailable, at);
}

/** (ValidateDaemonSetUpdateStrategy) */
export function validateDaemonSetUpdateStrategy(strategy: Unvalidated<apps.DaemonSetUpdateStrategy>, field: Field): void {
  const { type, rollingUpdate } = strategy;
  if (type === 'RollingUpdate') validateRollingUpdateDaemonSet(rollingUpdate ?? {}, field.child('rollingUpdate'));
  else if (type !== 'OnDelete') {
    field.notSupported(internalStruct(strategy, unavailableAndSurge), ['RollingUpdate', 'OnDelete']);
  }
}

/** (ValidateRollingUpdateDaemonSet) */
function validateRollingUpdateDaemonSet({ maxUnavailable, maxSurge }: Unvalidated<apps.RollingUpdateDaemonSet>, field: Field): void {
  const unavailable = field.child('maxUnavailable');
  const surge = field.child('maxSurge');
  validatePositiveIntOrPercent(maxUnavailable, unavailable);
  validatePositiveIntOrPercent(maxSurge, surge);
  isNotMoreThan100Percent(maxUnavailable, unavailable);
  isNotMoreThan100Percent(maxSurge, surge);
  const hasUnavailable = intOrPercentValue(maxUnavailable) !== 0;
  const hasSurge = intOrPercentValue(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) surge.invalid(maxSurge, 'may not be set when maxUnavailable is non-zero');
  else if (!hasUnavailable && !hasSurge) unavailable.required('cannot be 0 when maxSurge is 0');
}

const partitionAndUnavailable: Shape = { partition: 0, maxUnavailable: null };
const statefulSetStrategy: Shape = { type: '', rollingUpdate: partitionAndUnavailable };

/** (ValidateStatefulSetSpec) */
export function validateStatefulSetUpdateStrategy(strategy: Unvalidated<apps.StatefulSetUpdateStrategy>, field: Field): void {
  const { type, rollingUpdate } = strategy;
  const at = field.child('rollingUpdate');
  if (!type) field.required();
  else if (type === 'OnDelete') {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    if (rollingUpdate) at.invalid(internalStruct(rollingUpdate, partitionAndUnavailable), detail);
  } else if (type === 'RollingUpdate') {
    if (rollingUpdate) validateRollingUpdateStatefulSet(rollingUpdate, at);
  } else field.invalid(internalStruct(strategy, statefulSetStrategy), "must be 'RollingUpdate' or 'OnDelete'");
}

/** (validateRollingUpdateStatefulSet) */
function validateRollingUpdateStatefulSet(
  { partition, maxUnavailable }: Unvalidated<apps.RollingUpdateStatefulSetStrategy>,
  field: Field,
): void {
  validateNonnegativeField(partition, field.child('partition'));
  if (maxUnavailable === undefined) return;
  const at = field.child('maxUnavailable');
  validatePositiveIntOrPercent(maxUnavailable, at);
  if (intOrPercentValue(maxUnavailable) === 0) at.invalid(maxUnavailable, 'cannot be 0');
  isNotMoreThan100Percent(maxUnavailable, at);
}
