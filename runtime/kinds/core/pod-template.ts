import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isChanged, warningsForPodTemplate } from '../apps/pod-template.ts';
import { joinContainers } from '../printers/containers.ts';
import { formatLabels } from '../printers/labels.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

export function validatePodTemplate(object: Part, field: Field): void {
  validatePodTemplateSpec(object.template, field.child('template'));
}
export const podTemplateContainers = (object: KubeObject): string => joinContainers(object.template?.spec, 'name');
export const podTemplateImages = (object: KubeObject): string => joinContainers(object.template?.spec, 'image');
export const podTemplateLabels = (object: KubeObject): string => formatLabels(object.template?.metadata?.labels);

export const podTemplateWarnings: WarningStrategy = {
  warningsOnCreate: (object) => warningsForPodTemplate(object.template, 'template'),
  warningsOnUpdate: (object, old) =>
    isChanged(object, old) ? warningsForPodTemplate(object.template, 'template') : none,
};
