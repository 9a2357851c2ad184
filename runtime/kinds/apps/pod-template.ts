import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { type Errors, validateEnum, validateImmutableField, validateNonnegativeField } from '../validation/fields.ts';
import { isEmptyLabelSelector, labelSelectorMatches, validateLabelSelector } from '../validation/labels.ts';
import { none, type WarningRules } from '../warnings.ts';

/** Deployments, replica sets, daemon sets, stateful sets. (pkg/apis/apps/validation/validation.go) */

/** Selector and template of a workload whose pods are always restarted. `kind` is how messages name it. */
export function validateSelectorAndTemplate(
  spec: Part,
  names: { readonly selector: string; readonly kind: string; readonly checkTemplate?: typeof validatePodTemplateSpec },
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('selector');
  const before = errors.length;
  // no selector matches no labels, so that it is wrong twice; of daemon sets only that is said
  if (!spec.selector) {
    if (names.selector !== 'daemonset') errors.push(required(at));
  } else {
    validateLabelSelector(spec.selector, at, errors);
    if (isEmptyLabelSelector(spec.selector)) {
      errors.push(invalid(at, spec.selector, `empty selector is invalid for ${names.selector}`));
    }
  }
  const template = path.child('template');
  const labels = spec.template?.metadata?.labels;
  if (!spec.selector || (errors.length === before && !labelSelectorMatches(spec.selector, labels))) {
    const detail = '`selector` does not match template `labels`';
    errors.push(invalid(template.child('metadata', 'labels'), labels ?? null, detail));
  }
  (names.checkTemplate ?? validatePodTemplateSpec)(spec.template, template, errors);
  validateEnum(spec.template?.spec?.restartPolicy ?? '', ['Always'], template.child('spec', 'restartPolicy'), errors);
  if (spec.template?.spec?.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${names.kind} is not Supported`;
    errors.push(forbidden(template.child('spec', 'activeDeadlineSeconds'), detail));
  }
}

export function validateNonnegativeFields(spec: Part, names: readonly string[], path: FieldPath, errors: Errors): void {
  for (const name of names) validateNonnegativeField(spec[name], path.child(name), errors);
}

/** Deployments, replica sets and daemon sets keep their selector. */
export function validateSelectorUpdate(object: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableField(object.spec?.selector, old.spec?.selector, path.child('spec', 'selector'), errors);
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
export const workloadWarnings: WarningRules = {
  onCreate(object) {
    const warnings: string[] = [];
    addNameWarnings(object, namesPods, warnings);
    addPodTemplateWarnings(object.spec?.template, templatePath, warnings);
    return warnings;
  },
  onUpdate: (object, old) =>
    isChanged(object, old) ? warningsForPodTemplate(object.spec?.template, templatePath) : none,
};
