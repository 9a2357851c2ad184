import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldErrors } from '../../machinery/validation/field-errors.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { validatePersistentVolumeClaimSpec } from '../core/persistent-volume-claim.ts';
import { validationOptionsFromPodTemplate } from '../core/pod/ratcheting.ts';
import { validatePodTemplateMetadata, validatePodTemplateSpec } from '../core/pod/validation.ts';
import { newTemplate, type PodValidationOptions } from '../core/pod/validation-options.ts';
import { validateEnum, validateFormat, validateNonnegativeField } from '../validation/fields.ts';
import { validateStatefulSetUpdateStrategy } from './rolling-update.ts';
import { validateAlwaysRestarted, validateTemplateLabels, validateWorkloadSelector } from './workloads.ts';

/** (pkg/apis/apps/validation/validation.go) */

type StatefulSetSpec = Unvalidated<apps.StatefulSetSpec>;
type PodTemplate = Unvalidated<core.PodTemplateSpec>;

/** (ValidateStatefulSet) */
export function validateStatefulSetCreate(spec: StatefulSetSpec, field: Field): void {
  validateStatefulSetSpec(spec, field, { pod: newTemplate, isNew: true });
}

/**
 * Immutable fields are not validated again. If the stored object is invalid, neither is the spec of the template.
 * (ValidateStatefulSetUpdate)
 */
export function validateStatefulSetUpdate(spec: StatefulSetSpec, old: StatefulSetSpec, field: Field): void {
  const pod = validationOptionsFromPodTemplate(old.template);
  const errors = statefulSetErrors(spec, field, { pod });
  const skipPodTemplateSpec = errors.length > 0 && statefulSetErrors(old, field, { pod }).length > 0;
  field.errors.push(...(skipPodTemplateSpec ? statefulSetErrors(spec, field, { pod, skipPodTemplateSpec }) : errors));
  if (equalPruned(immutableFieldsOf(spec), immutableFieldsOf(old))) return;
  const names = mutableFields.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  field.forbidden(`updates to statefulset spec for fields other than ${list} are forbidden`);
}

const mutableFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const satisfies readonly (keyof apps.StatefulSetSpec)[];

function immutableFieldsOf(spec: StatefulSetSpec): StatefulSetSpec {
  const rest = { ...spec };
  for (const name of mutableFields) delete rest[name];
  return rest;
}

/** (StatefulSetValidationOptions) */
interface StatefulSetValidationOptions {
  readonly pod: PodValidationOptions;
  readonly isNew?: boolean;
  readonly skipPodTemplateSpec?: boolean;
}

function statefulSetErrors(spec: StatefulSetSpec, field: Field, options: StatefulSetValidationOptions): readonly FieldError[] {
  const errors = new FieldErrors();
  validateStatefulSetSpec(spec, Field.at(field, errors), options);
  return errors;
}

function validateStatefulSetSpec(spec: StatefulSetSpec, field: Field, options: StatefulSetValidationOptions): void {
  const { podManagementPolicy: policy, selector, template, ordinals, serviceName } = spec;
  if (!policy) field.child('podManagementPolicy').required();
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    field.child('podManagementPolicy').invalid(policy, "must be 'OrderedReady' or 'Parallel'");
  }
  validateStatefulSetUpdateStrategy(spec.updateStrategy ?? {}, field.child('updateStrategy'));
  const at = field.child('persistentVolumeClaimRetentionPolicy');
  validateRetentionPolicy(spec.persistentVolumeClaimRetentionPolicy, at);
  if (options.isNew) validateVolumeClaimTemplates(spec.volumeClaimTemplates, field.child('volumeClaimTemplates'));
  validateNonnegativeField(spec.replicas, field.child('replicas'));
  validateNonnegativeField(spec.minReadySeconds, field.child('minReadySeconds'));
  validateNonnegativeField(ordinals?.start, field.child('ordinals', 'start'));
  if (options.isNew && serviceName) validateFormat(serviceName, dnsLabel, field.child('serviceName'));
  if (validateWorkloadSelector(selector, field.child('selector'), 'statefulset', '')) {
    validateTemplateLabels(selector, template, field.child('template'));
    validatePodTemplateSpecForStatefulSet(spec, field.child('template'), options);
  }
  validateAlwaysRestarted(template, field.child('template'), 'StatefulSet');
}

/** (ValidatePersistentVolumeClaimRetentionPolicy) */
function validateRetentionPolicy(
  policy: Unvalidated<apps.StatefulSetPersistentVolumeClaimRetentionPolicy> | undefined,
  field: Field,
): void {
  if (!policy) return;
  validateEnum(policy.whenDeleted ?? '', ['Retain', 'Delete'], field.child('whenDeleted'));
  validateEnum(policy.whenScaled ?? '', ['Retain', 'Delete'], field.child('whenScaled'));
}

function validateVolumeClaimTemplates(claims: StatefulSetSpec['volumeClaimTemplates'], field: Field): void {
  for (const [index, { spec = {} }] of (claims ?? []).entries()) {
    validatePersistentVolumeClaimSpec(spec, field.index(index).child('spec'));
  }
}

/** Validates the metadata twice, once with the spec. (ValidatePodTemplateSpecForStatefulSet) */
function validatePodTemplateSpecForStatefulSet(
  spec: StatefulSetSpec,
  field: Field,
  { pod, skipPodTemplateSpec }: StatefulSetValidationOptions,
): void {
  const template = withControlledFields(spec);
  if (!skipPodTemplateSpec) validatePodTemplateSpec(template, field, pod);
  validatePodTemplateMetadata(template, field, pod);
}

/** Returns the template as the controller changes it: with names of pods, and with a volume for each claim. */
function withControlledFields({ template, volumeClaimTemplates }: StatefulSetSpec): PodTemplate | undefined {
  const { spec } = template ?? {};
  const hasClaims = volumeClaimTemplates && volumeClaimTemplates.length > 0;
  if (!spec?.subdomain && !spec?.hostname && !hasClaims) return template;
  const { subdomain: _, hostname: __, ...rest } = spec ?? {};
  const volumes = hasClaims ? withClaims(spec?.volumes ?? [], volumeClaimTemplates) : rest.volumes;
  return { ...template, spec: { ...rest, ...defined({ volumes }) } };
}

type Volumes = Unvalidated<core.Volume>[];

/** (volumesToAddForTemplates) */
function withClaims(volumes: Volumes, claims: readonly Unvalidated<core.PersistentVolumeClaim>[]): Volumes {
  const names = new Set(claims.map(({ metadata }) => metadata?.name ?? ''));
  const added = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return [...added, ...volumes.filter(({ name }) => !names.has(name ?? ''))];
}
