import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateReplicaSetStatus } from '../apps/status.ts';
import { isChanged, templatePath, warningsForPodTemplate, workloadWarnings } from '../apps/workloads.ts';
import { validateEnum } from '../validation/fields.ts';
import { labelSelectorMatches } from '../validation/labels.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

/** (SetDefaults_ReplicationController) Selector and labels default to the labels of the template. */
export function setReplicationControllerLabels(controller: Part): void {
  const labels = controller.spec?.template?.metadata?.labels;
  if (!labels) return;
  if (isEmpty(controller.spec.selector)) controller.spec.selector = { ...labels };
  if (isEmpty(controller.metadata.labels)) controller.metadata.labels = { ...labels };
}

const isEmpty = (map: Part): boolean => map === undefined || map === null || Object.keys(map).length === 0;

/** (ValidateReplicationControllerSpec) Its numbers are checked by the markers of their Go fields. */
export function validateReplicationController(controller: Part, field: Field): void {
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
    const detail = '`selector` does not match template `labels`';
    template.child('metadata', 'labels').invalid(labels, detail);
  }
  validatePodTemplateSpec(spec.template, template);
  const restartPolicy = spec.template.spec?.restartPolicy ?? '';
  validateEnum(restartPolicy, ['Always'], template.child('spec', 'restartPolicy'));
  if (spec.template.spec?.activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicationController is not Supported';
    template.child('spec', 'activeDeadlineSeconds').forbidden(detail);
  }
}

/** As the others; but what an update warns of is the template as it was, which is upstream's slip and kept. */
export const replicationControllerWarnings: WarningStrategy = {
  ...workloadWarnings,
  warningsOnUpdate: (object, old) =>
    isChanged(object, old) ? warningsForPodTemplate(old.spec?.template, templatePath) : none,
};
