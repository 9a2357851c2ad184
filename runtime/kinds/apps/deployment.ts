import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validationOptionsFromPodTemplate } from '../core/pod/ratcheting.ts';
import { newTemplate, type PodValidationOptions } from '../core/pod/validation-options.ts';
import { labelSelectorText } from '../printers.ts';
import { validateNonnegativeField } from '../validation/fields.ts';
import { validateImmutableSelector } from '../validation/labels.ts';
import { rollbackToOf, setRollbackTo } from './deprecated-annotations.ts';
import { validateDeploymentStrategy } from './rolling-update.ts';
import { validateDeploymentStatus } from './status.ts';
import { setZeroReplicas, validateCollisionCountUpdate, validateSelectorAndTemplate } from './workloads.ts';

type Deployment = Unvalidated<apps.Deployment>;

export const deploymentSelector = ({ spec }: Deployment): string => labelSelectorText(spec?.selector) ?? '<invalid>';

/** (pkg/registry/apps/deployment/strategy.go) */
export const deploymentStrategy: RESTStrategy = {
  afterDecoding(deployment) {
    setZeroReplicas(deployment);
    setRollbackTo(deployment, rollbackToOf(deployment));
  },
  prepareForUpdate(deployment, old, { part }) {
    if (part === 'status') setRollbackTo(deployment, rollbackToOf(old));
  },
  validateCreate: (deployment, errors) => validateDeploymentSpec(deployment, Field.at(FieldPath.of('spec'), errors), newTemplate),
  validateUpdate(deployment: Deployment & KubeObject, old: Deployment, errors, { part }) {
    if (part === 'status') {
      const at = Field.at(FieldPath.of('status'), errors);
      validateDeploymentStatus(deployment.status, at);
      validateCollisionCountUpdate(deployment.status, old.status, at);
      return;
    }
    const at = Field.at(FieldPath.of('spec'), errors);
    validateDeploymentSpec(deployment, at, validationOptionsFromPodTemplate(old.spec?.template));
    validateImmutableSelector(deployment.spec?.selector, old.spec?.selector, at.child('selector'));
  },
};

/** (ValidateDeploymentSpec, pkg/apis/apps/validation/validation.go) */
function validateDeploymentSpec(deployment: Deployment & KubeObject, field: Field, options: PodValidationOptions): void {
  const { spec = {} } = deployment;
  const { minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  validateNonnegativeField(spec.replicas, field.child('replicas'));
  validateSelectorAndTemplate(spec, field, options);
  validateDeploymentStrategy(spec.strategy ?? {}, field.child('strategy'));
  validateNonnegativeField(minReadySeconds, field.child('minReadySeconds'));
  validateNonnegativeField(spec.revisionHistoryLimit, field.child('revisionHistoryLimit'));
  validateNonnegativeField(rollbackToOf(deployment), field.child('rollback', 'version'));
  validateNonnegativeField(deadline, field.child('progressDeadlineSeconds'));
  if (deadline !== undefined && deadline <= minReadySeconds) {
    field.child('progressDeadlineSeconds').invalid(deadline, 'must be greater than minReadySeconds');
  }
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
