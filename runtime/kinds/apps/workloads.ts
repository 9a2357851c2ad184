import type { DaemonSet, Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import type { LabelSelector } from '../../../generated/v1.35/meta/v1/types.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { validateEnum, validateImmutableField } from '../validation/fields.ts';
import { isEmptyLabelSelector, labelSelectorMatches, validateLabelSelector } from '../validation/labels.ts';
import { none, type WarningStrategy } from '../warnings.ts';

/** What the kinds that create pods have in common. (pkg/apis/apps/validation/validation.go) */

type PodTemplate = Unvalidated<PodTemplateSpec>;

interface WorkloadSpec {
  readonly selector?: Unvalidated<LabelSelector>;
  readonly template?: PodTemplate;
}

/** How messages name a workload, and how its template is validated. */
interface WorkloadRules {
  readonly selector: 'daemonset' | 'deployment' | 'statefulset';
  readonly kind: 'DaemonSet' | 'ReplicaSet' | 'StatefulSet';
  /** Default: validatePodTemplateSpec. */
  validateTemplate?(template: PodTemplate | undefined, field: Field): void;
}

/** Validates selector and template of a workload whose pods are always restarted. */
export function validateSelectorAndTemplate(spec: WorkloadSpec, rules: WorkloadRules, field: Field): void {
  const { selector, template } = spec;
  const at = field.child('selector');
  const errorsBefore = field.errors.length;
  // A missing selector matches no labels either, so there are two errors; for daemon sets upstream reports only the second.
  if (!selector) {
    if (rules.selector !== 'daemonset') at.required();
  } else {
    validateLabelSelector(selector, at);
    if (isEmptyLabelSelector(selector)) at.invalid(selector, `empty selector is invalid for ${rules.selector}`);
  }
  const templateField = field.child('template');
  const labels = template?.metadata?.labels;
  if (!selector || (field.errors.length === errorsBefore && !labelSelectorMatches(selector, labels))) {
    const detail = '`selector` does not match template `labels`';
    templateField.child('metadata', 'labels').invalid(labels ?? null, detail);
  }
  (rules.validateTemplate ?? validatePodTemplateSpec)(template, templateField);
  validateEnum(template?.spec?.restartPolicy ?? '', ['Always'], templateField.child('spec', 'restartPolicy'));
  if (template?.spec?.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${rules.kind} is not Supported`;
    templateField.child('spec', 'activeDeadlineSeconds').forbidden(detail);
  }
}

type Workload = Unvalidated<DaemonSet | Deployment | ReplicaSet>;

/** The selector of deployments, replica sets and daemon sets is immutable. */
export function validateSelectorUpdate(workload: Workload, old: Workload, field: Field): void {
  validateImmutableField(workload.spec?.selector, old.spec?.selector, field.child('spec', 'selector'));
}

export const namesPods = 'this is used in Pod names and hostnames';
export const templatePath = 'spec.template';

interface HasMetadata {
  readonly metadata?: ObjectMeta;
}

/** Updates warn about a template only if the spec has changed. */
export const isChanged = (object: HasMetadata, old: HasMetadata): boolean =>
  object.metadata?.generation !== old.metadata?.generation;

export function warningsForPodTemplate(template: PodTemplate | undefined, path: string): string[] {
  const warnings: string[] = [];
  addPodTemplateWarnings(template, path, warnings);
  return warnings;
}

/** Warnings about deployments and replica sets. (pkg/registry/apps/deployment/strategy.go, replicaset/strategy.go) */
export const workloadWarnings: WarningStrategy<Workload> = {
  warningsOnCreate(workload) {
    const warnings: string[] = [];
    addNameWarnings(workload, namesPods, warnings);
    addPodTemplateWarnings(workload.spec?.template, templatePath, warnings);
    return warnings;
  },
  warningsOnUpdate: (workload, old) =>
    isChanged(workload, old) ? warningsForPodTemplate(workload.spec?.template, templatePath) : none,
};
