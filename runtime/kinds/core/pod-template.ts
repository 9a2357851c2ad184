import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isChanged, warningsForPodTemplate } from '../apps/workloads.ts';
import { containerImages, containerNames, formatLabels } from '../printers.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

export function validatePodTemplate(object: Part, field: Field): void {
  validatePodTemplateSpec(object.template, field.child('template'));
}
export const podTemplateContainers = (object: KubeObject): string => containerNames(object.template?.spec);
export const podTemplateImages = (object: KubeObject): string => containerImages(object.template?.spec);
export const podTemplateLabels = (object: KubeObject): string => formatLabels(object.template?.metadata?.labels);

export const podTemplateWarnings: WarningStrategy = {
  warningsOnCreate: (object) => warningsForPodTemplate(object.template, 'template'),
  warningsOnUpdate: (object, old) =>
    isChanged(object, old) ? warningsForPodTemplate(object.template, 'template') : none,
};
