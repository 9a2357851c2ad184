import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validationOptionsFromPodTemplate } from '../core/pod/ratcheting.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { newTemplate, type PodValidationOptions } from '../core/pod/validation-options.ts';
import { formatLabels } from '../printers.ts';
import { validateNonnegativeField } from '../validation/fields.ts';
import {
  isEmptyLabelSelector,
  labelSelectorHasInvalidLabelValue,
  validateImmutableSelector,
  validateLabelSelector,
} from '../validation/labels.ts';
import { none, type WriteWarnings } from '../warnings.ts';
import { setTemplateGeneration, templateGenerationOf } from './deprecated-annotations.ts';
import { validateDaemonSetUpdateStrategy } from './rolling-update.ts';
import { validateDaemonSetStatus } from './status.ts';
import {
  templatePath,
  validateAlwaysRestarted,
  validateCollisionCountUpdate,
  validateTemplateLabels,
  warningsForPodTemplate,
} from './workloads.ts';

type DaemonSet = Unvalidated<apps.DaemonSet>;

/** (SetDefaults_DaemonSet) */
export function setDaemonSetDefaults(daemonSet: DaemonSet): void {
  daemonSet.spec ??= {};
  const spec = daemonSet.spec;
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= 'RollingUpdate';
  if (spec.updateStrategy.type === 'RollingUpdate') {
    const { maxUnavailable = 1, maxSurge = 0 } = spec.updateStrategy.rollingUpdate ?? {};
    spec.updateStrategy.rollingUpdate = { maxUnavailable, maxSurge };
  }
  spec.revisionHistoryLimit ??= 10;
}

export const daemonSetNodeSelector = ({ spec }: DaemonSet): string => formatLabels(spec?.template?.spec?.nodeSelector);

export const daemonSetWarnings: WriteWarnings<DaemonSet & KubeObject> = {
  warningsOnCreate: ({ spec }) => warningsForPodTemplate(spec?.template, templatePath),
  warningsOnUpdate: (daemonSet, old) =>
    templateGenerationOf(daemonSet) === templateGenerationOf(old) ? none : warningsForPodTemplate(daemonSet.spec?.template, templatePath),
};

/**
 * The template's generation counts its changes. Values from clients are ignored.
 * (pkg/registry/apps/daemonset/strategy.go)
 */
export const daemonSetStrategy: RESTStrategy = {
  afterDecoding: (daemonSet) => setTemplateGeneration(daemonSet, templateGenerationOf(daemonSet)),
  prepareForCreate(daemonSet) {
    const requested = templateGenerationOf(daemonSet);
    setTemplateGeneration(daemonSet, requested < 1n ? 1n : requested);
  },
  prepareForUpdate(daemonSet: DaemonSet & KubeObject, old: DaemonSet & KubeObject, { part }) {
    const before = templateGenerationOf(old);
    const isSame = part === 'status' || equalPruned(daemonSet.spec?.template, old.spec?.template);
    setTemplateGeneration(daemonSet, isSame ? before : before + 1n);
  },
  validateCreate: ({ spec }: DaemonSet, errors) => validateDaemonSetSpec(spec, Field.at(FieldPath.of('spec'), errors), newTemplate),
  validateUpdate({ spec, status }: DaemonSet, old: DaemonSet, errors, { part }) {
    if (part === 'status') {
      const at = Field.at(FieldPath.of('status'), errors);
      validateDaemonSetStatus(status, at);
      validateCollisionCountUpdate(status, old.status, at);
      return;
    }
    const at = Field.at(FieldPath.of('spec'), errors);
    validateImmutableSelector(spec?.selector, old.spec?.selector, at.child('selector'));
    validateDaemonSetSpec(spec, at, validationOptionsFrom(old));
  },
};

function validationOptionsFrom({ spec }: DaemonSet): PodValidationOptions {
  const options = validationOptionsFromPodTemplate(spec?.template);
  return labelSelectorHasInvalidLabelValue(spec?.selector) ? { ...options, allowInvalidLabelValueInSelector: true } : options;
}

/** An absent selector has no error of its own. (ValidateDaemonSetSpec, pkg/apis/apps/validation/validation.go) */
function validateDaemonSetSpec(spec: DaemonSet['spec'] = {}, field: Field, options: PodValidationOptions): void {
  const { selector, template } = spec;
  const at = field.child('selector');
  const before = field.errors.length;
  validateLabelSelector(selector, at, options);
  const isValid = field.errors.length === before && !labelSelectorHasInvalidLabelValue(selector);
  if (isValid) validateTemplateLabels(selector, template, field.child('template'));
  if (selector && isEmptyLabelSelector(selector)) at.invalid(selector, 'empty selector is invalid for daemonset');
  validatePodTemplateSpec(template, field.child('template'), options);
  validateAlwaysRestarted(template, field.child('template'), 'DaemonSet');
  validateNonnegativeField(spec.minReadySeconds, field.child('minReadySeconds'));
  validateDaemonSetUpdateStrategy(spec.updateStrategy ?? {}, field.child('updateStrategy'));
  validateNonnegativeField(spec.revisionHistoryLimit, field.child('revisionHistoryLimit'));
}
