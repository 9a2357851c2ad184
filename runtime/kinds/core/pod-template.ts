import type { KubeObject, Part } from '../../machinery/object.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { isChanged, warningsForPodTemplate } from '../apps/pod-template.ts';
import { joinContainers } from '../printers/containers.ts';
import { formatLabels } from '../printers/labels.ts';
import type { Errors } from '../validation/fields.ts';
import { none, type WarningRules } from '../warnings.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

export function validatePodTemplate(object: Part, path: FieldPath, errors: Errors): void {
  validatePodTemplateSpec(object.template, path.child('template'), errors);
}
export const podTemplateContainers = (object: KubeObject): string => joinContainers(object.template?.spec, 'name');
export const podTemplateImages = (object: KubeObject): string => joinContainers(object.template?.spec, 'image');
export const podTemplateLabels = (object: KubeObject): string => formatLabels(object.template?.metadata?.labels);

export const podTemplateWarnings: WarningRules = {
  onCreate: (object) => warningsForPodTemplate(object.template, 'template'),
  onUpdate: (object, old) => (isChanged(object, old) ? warningsForPodTemplate(object.template, 'template') : none),
};
