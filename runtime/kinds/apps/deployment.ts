import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { labelSelectorText } from '../printers.ts';
import {
  isNotMoreThan100Percent,
  isZeroOrAbsent,
  validateNonnegativeField,
  validateNonnegativeFields,
  validatePositiveIntOrPercent,
} from '../validation/fields.ts';
import { validateDeploymentStatus } from './status.ts';
import { validateSelectorAndTemplate } from './workloads.ts';

type Deployment = Unvalidated<apps.Deployment>;

export const deploymentSelector = ({ spec }: Deployment): string => labelSelectorText(spec?.selector) ?? '<invalid>';

/** (ValidateDeploymentSpec) */
export function validateDeployment({ spec = {}, status }: Deployment, field: Field): void {
  validateDeploymentStatus(status, field.child('status'));
  const at = field.child('spec');
  validateNonnegativeField(spec.replicas, at.child('replicas'));
  validateSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at);
  const { type, rollingUpdate } = spec.strategy ?? {};
  const strategy = at.child('strategy', 'rollingUpdate');
  if (type === 'Recreate' && rollingUpdate) {
    strategy.forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate' && rollingUpdate) validateRollingUpdateDeployment(rollingUpdate, strategy);
  validateNonnegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], at);
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) {
    at.child('progressDeadlineSeconds').invalid(deadline, 'must be greater than minReadySeconds');
  }
}

function validateRollingUpdateDeployment(
  { maxUnavailable, maxSurge }: Unvalidated<apps.RollingUpdateDeployment>,
  field: Field,
): void {
  validatePositiveIntOrPercent(maxUnavailable, field.child('maxUnavailable'));
  validatePositiveIntOrPercent(maxSurge, field.child('maxSurge'));
  if (isZeroOrAbsent(maxUnavailable) && isZeroOrAbsent(maxSurge)) {
    field.child('maxUnavailable').invalid(maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  isNotMoreThan100Percent(maxUnavailable, field.child('maxUnavailable'));
}

/** (SetDefaults_Deployment, pkg/apis/apps/v1/defaults.go) */
export function setDeploymentDefaults(deployment: Deployment): void {
  deployment.spec ??= {};
  const spec = deployment.spec;
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ||= 'RollingUpdate';
  if (spec.strategy.type === 'RollingUpdate') {
    const { maxUnavailable = '25%', maxSurge = '25%' } = spec.strategy.rollingUpdate ?? {};
    spec.strategy.rollingUpdate = { maxUnavailable, maxSurge };
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}
