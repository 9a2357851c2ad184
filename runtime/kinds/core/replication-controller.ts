import type { Part } from '../../machinery/object.ts';
import { forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { isChanged, templatePath, warningsForPodTemplate, workloadWarnings } from '../apps/pod-template.ts';
import { countsOf, validateReplicaCounts } from '../apps/replica-counts.ts';
import { type Errors, validateEnum } from '../validation/fields.ts';
import { labelSelectorMatches } from '../validation/labels.ts';
import { none, type WarningRules } from '../warnings.ts';
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
export function validateReplicationController(controller: Part, path: FieldPath, errors: Errors): void {
  validateReplicaCounts(controller, countsOf.replicationController, path, errors);
  const spec = controller.spec ?? {};
  const at = path.child('spec');
  const selects = Object.keys(spec.selector ?? {}).length > 0;
  if (!selects) errors.push(required(at.child('selector')));
  const template = at.child('template');
  if (!spec.template) {
    errors.push(required(template));
    return;
  }
  const labels = spec.template.metadata?.labels ?? {};
  if (selects && !labelSelectorMatches({ matchLabels: spec.selector }, labels)) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalid(template.child('metadata', 'labels'), labels, detail));
  }
  validatePodTemplateSpec(spec.template, template, errors);
  const restartPolicy = spec.template.spec?.restartPolicy ?? '';
  validateEnum(restartPolicy, ['Always'], template.child('spec', 'restartPolicy'), errors);
  if (spec.template.spec?.activeDeadlineSeconds !== undefined) {
    const detail = 'activeDeadlineSeconds in ReplicationController is not Supported';
    errors.push(forbidden(template.child('spec', 'activeDeadlineSeconds'), detail));
  }
}

/** As the others; but what an update warns of is the template as it was, which is upstream's slip and kept. */
export const replicationControllerWarnings: WarningRules = {
  ...workloadWarnings,
  onUpdate: (object, old) => (isChanged(object, old) ? warningsForPodTemplate(old.spec?.template, templatePath) : none),
};
