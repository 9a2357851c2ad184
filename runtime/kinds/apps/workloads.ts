import type { DaemonSet, Deployment, ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { PodTemplateSpec } from '../../../generated/v1.35/core/v1/types.ts';
import type { LabelSelector } from '../../../generated/v1.35/meta/v1/types.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validatePodTemplateSpec } from '../core/pod/validation.ts';
import type { PodValidationOptions } from '../core/pod/validation-options.ts';
import { addNameWarnings, addPodTemplateWarnings } from '../core/pod/warnings.ts';
import { validateEnum } from '../validation/fields.ts';
import { isEmptyLabelSelector, labelSelectorMatches, shownLabelsOf, shownSelector, validateLabelSelector } from '../validation/labels.ts';
import { none, type WriteWarnings } from '../warnings.ts';

/** Rules for the kinds that create pods. (pkg/apis/apps/validation/validation.go) */

type PodTemplate = Unvalidated<PodTemplateSpec>;
type Selector = Unvalidated<LabelSelector>;

/** Sets absent replicas to 0, since the field of upstream's internal type is no pointer. (Convert_int32_To_Pointer_int32) */
export function setZeroReplicas(workload: KubeObject & Unvalidated<Pick<Deployment, 'spec'>>): void {
  if (typeof workload.spec?.replicas !== 'number') workload.spec = { ...workload.spec, replicas: 0 };
}

/**
 * Validates a required selector, which must not be empty. Returns true if it can be matched with labels. That includes
 * an absent selector, which matches none.
 *
 * @param kind the kind of the object in the message
 * @param detail of the error about an invalid selector
 */
export function validateWorkloadSelector(
  selector: Selector | undefined,
  field: Field,
  kind: 'deployment' | 'statefulset',
  detail: string,
): boolean {
  if (!selector) {
    field.required();
    return true;
  }
  const before = field.errors.length;
  validateLabelSelector(selector, field);
  const isValid = field.errors.length === before;
  if (isEmptyLabelSelector(selector)) field.invalid(shownSelector(selector), `empty selector is invalid for ${kind}`);
  if (!isValid) field.invalid(shownSelector(selector), detail);
  return isValid;
}

/** @param field of the template */
export function validateTemplateLabels(selector: Selector | undefined, template: PodTemplate | undefined, field: Field): void {
  const labels = template?.metadata?.labels;
  if (selector && labelSelectorMatches(selector, labels)) return;
  field.child('metadata', 'labels').invalid(shownLabelsOf(template?.metadata), '`selector` does not match template `labels`');
}

/** @param field of the template */
export function validateAlwaysRestarted(template: PodTemplate | undefined, field: Field, kind: string): void {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  validateEnum(restartPolicy, ['Always'], field.child('spec', 'restartPolicy'));
  if (activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    field.child('spec', 'activeDeadlineSeconds').forbidden(detail);
  }
}

interface WorkloadSpec {
  readonly selector?: Selector;
  readonly template?: PodTemplate;
}

/**
 * Validates selector and template of deployments and replica sets. For both, upstream's messages about selectors name
 * deployments, and those about templates ReplicaSets.
 */
export function validateSelectorAndTemplate({ selector, template }: WorkloadSpec, field: Field, options: PodValidationOptions): void {
  if (validateWorkloadSelector(selector, field.child('selector'), 'deployment', 'invalid label selector')) {
    const at = field.child('template');
    validateTemplateLabels(selector, template, at);
    validatePodTemplateSpecForReplicaSet(template, at, options);
  }
}

/** (ValidatePodTemplateSpecForReplicaSet) */
function validatePodTemplateSpecForReplicaSet(template: PodTemplate | undefined, field: Field, options: PodValidationOptions): void {
  validatePodTemplateSpec(template, field, options);
  validateAlwaysRestarted(template, field, 'ReplicaSet');
}

interface HasCollisionCount {
  readonly collisionCount?: number;
}

/** @param field of the status */
export function validateCollisionCountUpdate(
  { collisionCount: count }: HasCollisionCount = {},
  { collisionCount: old }: HasCollisionCount = {},
  field: Field,
): void {
  if (isDecremented(count, old)) field.child('collisionCount').invalid(count ?? 0, 'cannot be decremented');
}

/** (IsDecremented) */
const isDecremented = (count: number | undefined, old: number | undefined): boolean =>
  old !== undefined && (count === undefined || count < old);

export const namesPods = 'this is used in Pod names and hostnames';
export const templatePath = 'spec.template';

interface HasMetadata {
  readonly metadata?: ObjectMeta;
}

/** Reports whether the spec changed. Without a change, updates do not warn about the template. */
export const isChanged = (object: HasMetadata, old: HasMetadata): boolean => object.metadata?.generation !== old.metadata?.generation;

export function warningsForPodTemplate(template: PodTemplate | undefined, path: string): string[] {
  const warnings: string[] = [];
  addPodTemplateWarnings(template, path, warnings);
  return warnings;
}

type Workload = Unvalidated<DaemonSet | Deployment | ReplicaSet>;

/**
 * The warnings about deployments and replica sets. (pkg/registry/apps/deployment/strategy.go, replicaset/strategy.go)
 */
export const workloadWarnings: WriteWarnings<Workload> = {
  warningsOnCreate(workload) {
    const warnings: string[] = [];
    addNameWarnings(workload, namesPods, warnings);
    addPodTemplateWarnings(workload.spec?.template, templatePath, warnings);
    return warnings;
  },
  warningsOnUpdate: (workload, old) => (isChanged(workload, old) ? warningsForPodTemplate(workload.spec?.template, templatePath) : none),
};
