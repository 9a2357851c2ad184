import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { selectorText } from '../printers/labels.ts';
import { type Errors, validateNonnegativeField } from '../validation/fields.ts';
import { isNotMoreThan100Percent, isZeroOrAbsent, validatePositiveIntOrPercent } from '../validation/int-or-percent.ts';
import { validateNonnegativeFields, validateSelectorAndTemplate } from './pod-template.ts';
import { countsOf, validateReplicaCounts } from './replica-counts.ts';

export const deploymentSelector = (object: KubeObject): string => selectorText(object.spec?.selector) ?? '<invalid>';

export function validateDeployment(deployment: Part, path: FieldPath, errors: Errors): void {
  validateReplicaCounts(deployment, countsOf.deployment, path, errors);
  const spec = deployment.spec ?? {};
  const at = path.child('spec');
  validateNonnegativeField(spec.replicas, at.child('replicas'), errors);
  validateSelectorAndTemplate(spec, { selector: 'deployment', kind: 'ReplicaSet' }, at, errors);
  const { type, rollingUpdate } = spec.strategy ?? {};
  const strategy = at.child('strategy', 'rollingUpdate');
  if (type === 'Recreate' && rollingUpdate) {
    errors.push(forbidden(strategy, "may not be specified when strategy `type` is 'Recreate'"));
  } else if (type === 'RollingUpdate' && rollingUpdate)
    validateRollingUpdateDeployment(rollingUpdate, strategy, errors);
  validateNonnegativeFields(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], at, errors);
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) {
    errors.push(invalid(at.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'));
  }
}

function validateRollingUpdateDeployment({ maxUnavailable, maxSurge }: Part, path: FieldPath, errors: Errors): void {
  validatePositiveIntOrPercent(maxUnavailable, path.child('maxUnavailable'), errors);
  validatePositiveIntOrPercent(maxSurge, path.child('maxSurge'), errors);
  if (isZeroOrAbsent(maxUnavailable) && isZeroOrAbsent(maxSurge)) {
    errors.push(invalid(path.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  isNotMoreThan100Percent(maxUnavailable, path.child('maxUnavailable'), errors);
}

/** (SetDefaults_Deployment, pkg/apis/apps/v1/defaults.go) */
export function setDeploymentDefaults(deployment: Part): void {
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
