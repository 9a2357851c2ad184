import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { addPersistentVolumeClaimSpecWarnings } from '../core/persistent-volume-claim.ts';
import { validatePodTemplateMetadata } from '../core/pod/validation.ts';
import { validateEnum, validateNonnegativeField, validateNonnegativeFields } from '../validation/fields.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import { validateStatefulSetStatus } from './status.ts';
import { isChanged, templatePath, validateSelectorAndTemplate, warningsForPodTemplate } from './workloads.ts';

type StatefulSet = Unvalidated<apps.StatefulSet>;

/** (ValidateStatefulSetSpec) */
export function validateStatefulSet({ spec = {}, status }: StatefulSet, field: Field): void {
  validateStatefulSetStatus(status, field.child('status'));
  const at = field.child('spec');
  const policy = spec.podManagementPolicy ?? '';
  if (policy === '') at.child('podManagementPolicy').required();
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    at.child('podManagementPolicy').invalid(policy, "must be 'OrderedReady' or 'Parallel'");
  }
  validateStatefulSetUpdateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'));
  for (const when of ['whenDeleted', 'whenScaled'] as const) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[when];
    const retention = at.child('persistentVolumeClaimRetentionPolicy', when);
    if (value) validateEnum(value, ['Retain', 'Delete'], retention);
  }
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at);
  validateNonnegativeField(spec.ordinals?.start, at.child('ordinals', 'start'));
  // The spec of the template is validated when pods are created from it, because the claims add volumes to it.
  const validateTemplate = validatePodTemplateMetadata;
  validateSelectorAndTemplate(spec, { selector: 'statefulset', kind: 'StatefulSet', validateTemplate }, at);
}

function validateStatefulSetUpdateStrategy(
  { type, rollingUpdate, ...rest }: Unvalidated<apps.StatefulSetUpdateStrategy>,
  field: Field,
): void {
  if (!type) field.required();
  else if (type === 'OnDelete') {
    if (rollingUpdate) {
      field.child('rollingUpdate').invalid(rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'");
    }
  } else if (type === 'RollingUpdate') {
    validateNonnegativeField(rollingUpdate?.partition, field.child('rollingUpdate', 'partition'));
  } else {
    field.invalid({ type, rollingUpdate, ...rest }, "must be 'RollingUpdate' or 'OnDelete'");
  }
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

/** (ValidateStatefulSetUpdate) */
export function validateStatefulSetUpdate(statefulSet: StatefulSet, old: StatefulSet, field: Field): void {
  if (semanticDeepEqual(immutableFieldsOf(statefulSet), immutableFieldsOf(old))) return;
  const names = mutableFields.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  field.child('spec').forbidden(`updates to statefulset spec for fields other than ${list} are forbidden`);
}

function immutableFieldsOf({ spec }: StatefulSet): Unvalidated<apps.StatefulSetSpec> {
  const rest = { ...spec };
  for (const name of mutableFields) delete rest[name];
  return rest;
}

/** (SetDefaults_StatefulSet; the kind of the claim templates is set in pkg/apis/apps/v1/conversion.go) */
export function setStatefulSetDefaults(statefulSet: StatefulSet): void {
  statefulSet.spec ??= {};
  const spec = statefulSet.spec;
  spec.podManagementPolicy ||= 'OrderedReady';
  spec.updateStrategy ??= {};
  if (!spec.updateStrategy.type) {
    spec.updateStrategy.type = 'RollingUpdate';
    spec.updateStrategy.rollingUpdate ??= {};
  }
  if (spec.updateStrategy.type === 'RollingUpdate' && spec.updateStrategy.rollingUpdate) {
    spec.updateStrategy.rollingUpdate.partition ??= 0;
  }
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
  }
}

export const readyOfDesired = ({ spec, status }: StatefulSet): string =>
  `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;

const keepsAllRevisions =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

/** @param suffix of the path of a claim template: upstream adds `.Spec` on update only */
function warningsForVolumeClaimTemplates({ spec }: StatefulSet, suffix: '' | '.Spec'): string[] {
  const warnings: string[] = [];
  for (const [index, claim] of (spec?.volumeClaimTemplates ?? []).entries()) {
    addPersistentVolumeClaimSpecWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]${suffix}`, warnings);
  }
  if ((spec?.revisionHistoryLimit ?? 0) < 0) warnings.push(keepsAllRevisions);
  return warnings;
}

/** (pkg/registry/apps/statefulset/strategy.go) */
export const statefulSetWarnings: WarningStrategy<StatefulSet> = {
  warningsOnCreate: (statefulSet) => [
    ...warningsForPodTemplate(statefulSet.spec?.template, templatePath),
    ...warningsForVolumeClaimTemplates(statefulSet, ''),
  ],
  warningsOnUpdate: (statefulSet, old) => [
    ...(isChanged(statefulSet, old) ? warningsForPodTemplate(statefulSet.spec?.template, templatePath) : none),
    ...warningsForVolumeClaimTemplates(statefulSet, '.Spec'),
  ],
};
