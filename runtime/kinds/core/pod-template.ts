import type { PodTemplate as GeneratedPodTemplate } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { isChanged, warningsForPodTemplate } from '../apps/workloads.ts';
import { containerImages, containerNames, formatLabels } from '../printers.ts';
import { none, type WriteWarnings } from '../warnings.ts';
import { validationOptionsFromPodTemplate } from './pod/ratcheting.ts';
import { validatePodTemplateSpec } from './pod/validation.ts';

type PodTemplate = Unvalidated<GeneratedPodTemplate>;

/** (ValidatePodTemplate, ValidatePodTemplateUpdate) */
export const podTemplateStrategy: RESTStrategy = {
  returnDeletedObject: true,
  validateCreate({ template }: GeneratedPodTemplate, errors) {
    validatePodTemplateSpec(template, Field.at(FieldPath.of('template'), errors));
  },
  validateUpdate({ template }: GeneratedPodTemplate, { template: old }: GeneratedPodTemplate, errors) {
    const options = validationOptionsFromPodTemplate(old ?? {});
    validatePodTemplateSpec(template, Field.at(FieldPath.of('template'), errors), options);
  },
};

export const podTemplateContainers = ({ template }: PodTemplate): string => containerNames(template?.spec);
export const podTemplateImages = ({ template }: PodTemplate): string => containerImages(template?.spec);
export const podTemplateLabels = ({ template }: PodTemplate): string => formatLabels(template?.metadata?.labels);

/** (pkg/registry/core/podtemplate/strategy.go) */
export const podTemplateWarnings: WriteWarnings<PodTemplate> = {
  warningsOnCreate: (object) => warningsForPodTemplate(object.template, 'template'),
  warningsOnUpdate: (object, old) => (isChanged(object, old) ? warningsForPodTemplate(object.template, 'template') : none),
};
