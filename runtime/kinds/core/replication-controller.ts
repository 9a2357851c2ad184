import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateReplicaSetStatus } from '../apps/status.ts';
import { isChanged, templatePath, warningsForPodTemplate, workloadWarnings } from '../apps/workloads.ts';
import { validateEnum } from '../validation/fields.ts';
import { labelSelectorMatches } from '../validation/labels.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

type ReplicationController = Unvalidated<core.ReplicationController>;

/** Selector and labels default to the labels of the template. (SetDefaults_ReplicationController) */
export function setReplicationControllerLabels({ metadata, spec }: ReplicationController): void {
  const labels = spec?.template?.metadata?.labels;
  if (!labels) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  if (metadata && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}

/** Markers of Go's fields cover the numbers of the spec. (ValidateReplicationController) */
export function validateReplicationController(controller: ReplicationController, field: Field): void {
  validateReplicaSetStatus(controller.status, field.child('status'));
  const spec = controller.spec ?? {};
  const at = field.child('spec');
  const selects = Object.keys(spec.selector ?? {}).length > 0;
  if (!selects) at.child('selector').required();
  const template = at.child('template');
  if (!spec.template) {
    template.required();
    return;
  }
  const labels = spec.template.metadata?.labels ?? {};
  if (selects && !labelSelectorMatches({ matchLabels: spec.selector }, labels)) {
    template.child('metadata', 'labels').invalid(labels, '`selector` does not match template `labels`');
  }
  validatePodTemplateSpec(spec.template, template);
  const restartPolicy = spec.template.spec?.restartPolicy ?? '';
  validateEnum(restartPolicy, ['Always'], template.child('spec', 'restartPolicy'));
  if (spec.template.spec?.activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicationController is not Supported';
    template.child('spec', 'activeDeadlineSeconds').forbidden(detail);
  }
}

/** On updates upstream mistakenly warns about the old template. (pkg/registry/core/replicationcontroller/strategy.go) */
export const replicationControllerWarnings: WarningStrategy<ReplicationController> = {
  ...workloadWarnings,
  warningsOnUpdate: (object, old) =>
    isChanged(object, old) ? warningsForPodTemplate(old.spec?.template, templatePath) : none,
};
