import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { validateEnum, validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';
import { isEmptyLabelSelector, labelSelectorMatches, validateLabelSelector } from '../validation/labels.ts';
import { none, type WarningStrategy } from '../warnings.ts';

/** Deployments, replica sets, daemon sets, stateful sets. (pkg/apis/apps/validation/validation.go) */

/** Selector and template of a workload whose pods are always restarted. `kind` is how messages name it. */
export function validateSelectorAndTemplate(
  spec: Part,
  names: { readonly selector: string; readonly kind: string; readonly checkTemplate?: typeof validatePodTemplateSpec },
  field: Field,
): void {
  const at = field.child('selector');
  const before = field.errors.length;
  // no selector matches no labels, so that it is wrong twice; of daemon sets only that is said
  if (!spec.selector) {
    if (names.selector !== 'daemonset') at.required();
  } else {
    validateLabelSelector(spec.selector, at);
    if (isEmptyLabelSelector(spec.selector)) {
      at.invalid(spec.selector, `empty selector is invalid for ${names.selector}`);
    }
  }
  const template = field.child('template');
  const labels = spec.template?.metadata?.labels;
  if (!spec.selector || (field.errors.length === before && !labelSelectorMatches(spec.selector, labels))) {
    const detail = '`selector` does not match template `labels`';
    template.child('metadata', 'labels').invalid(labels ?? null, detail);
  }
  (names.checkTemplate ?? validatePodTemplateSpec)(spec.template, template);
  validateEnum(spec.template?.spec?.restartPolicy ?? '', ['Always'], template.child('spec', 'restartPolicy'));
  if (spec.template?.spec?.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${names.kind} is not Supported`;
    template.child('spec', 'activeDeadlineSeconds').forbidden(detail);
  }
}

export function validateNonnegativeFields(spec: Part, names: readonly string[], field: Field): void {
  for (const name of names) validateNonnegativeField(spec[name], field.child(name));
}

/** Deployments, replica sets and daemon sets keep their selector. */
export function validateSelectorUpdate(object: Part, old: Part, field: Field): void {
  validateImmutableField(object.spec?.selector, old.spec?.selector, field.child('spec', 'selector'));
}

/** Kinds that make pods. (pkg/registry/{apps,batch,core}, strategy.go of each; pkg/api/job/warnings.go) */

export const namesPods = 'this is used in Pod names and hostnames';
export const templatePath = 'spec.template';

/** What was not changed was warned of before. */
export const isChanged = (object: KubeObject, old: KubeObject): boolean =>
  object.metadata.generation !== old.metadata.generation;

export function warningsForPodTemplate(template: Part, at: string): string[] {
  const warnings: string[] = [];
  addPodTemplateWarnings(template, at, warnings);
  return warnings;
}

/** Deployments and ReplicaSets. */
export const workloadWarnings: WarningStrategy = {
  warningsOnCreate(object) {
    const warnings: string[] = [];
    addNameWarnings(object, namesPods, warnings);
    addPodTemplateWarnings(object.spec?.template, templatePath, warnings);
    return warnings;
  },
  warningsOnUpdate: (object, old) =>
    isChanged(object, old) ? warningsForPodTemplate(object.spec?.template, templatePath) : none,
};
