import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { addPersistentVolumeClaimSpecWarnings } from '../core/persistent-volume-claim.ts';
import { validatePodTemplateMetadata } from '../core/pod/validation.ts';
import { validateEnum, validateNonnegativeField } from '../validation/fields.ts';
import { none, type WarningStrategy } from '../warnings.ts';
import {
  isChanged,
  templatePath,
  validateNonnegativeFields,
  validateSelectorAndTemplate,
  warningsForPodTemplate,
} from './pod-template.ts';
import { countsOf, validateReplicaCounts } from './replica-counts.ts';

export function validateStatefulSet(statefulSet: Part, field: Field): void {
  validateReplicaCounts(statefulSet, countsOf.statefulSet, field);
  const spec = statefulSet.spec ?? {};
  const at = field.child('spec');
  const policy = spec.podManagementPolicy ?? '';
  if (policy === '') at.child('podManagementPolicy').required();
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    at.child('podManagementPolicy').invalid(policy, "must be 'OrderedReady' or 'Parallel'");
  }
  validateStatefulSetUpdateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'));
  for (const when of ['whenDeleted', 'whenScaled']) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[when];
    const retention = at.child('persistentVolumeClaimRetentionPolicy', when);
    if (value) validateEnum(value, ['Retain', 'Delete'], retention);
  }
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at);
  validateNonnegativeField(spec.ordinals?.start, at.child('ordinals', 'start'));
  // Upstream leaves the spec of the template to the pods made of it: its volumes are partly those of the claims.
  const names = { selector: 'statefulset', kind: 'StatefulSet', checkTemplate: validatePodTemplateMetadata };
  validateSelectorAndTemplate(spec, names, at);
}

function validateStatefulSetUpdateStrategy({ type, rollingUpdate, ...rest }: Part, field: Field): void {
  if (!type) field.required();
  else if (type === 'OnDelete') {
    if (rollingUpdate) {
      const detail = "only allowed for updateStrategy 'RollingUpdate'";
      field.child('rollingUpdate').invalid(rollingUpdate, detail);
    }
  } else if (type === 'RollingUpdate') {
    validateNonnegativeField(rollingUpdate?.partition, field.child('rollingUpdate', 'partition'));
  } else {
    field.invalid({ type, rollingUpdate, ...rest }, "must be 'RollingUpdate' or 'OnDelete'");
  }
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** (ValidateStatefulSetUpdate) */
export function validateStatefulSetUpdate(statefulSet: Part, old: Part, field: Field): void {
  const kept = ({ spec = {} }: Part): Part =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !changeable.includes(name)));
  if (semanticDeepEqual(kept(statefulSet), kept(old))) return;
  const names = changeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const detail = `updates to statefulset spec for fields other than ${list} are forbidden`;
  field.child('spec').forbidden(detail);
}

/** (SetDefaults_StatefulSet; the kind of the claim templates is pkg/apis/apps/v1/conversion.go) */
export function setStatefulSetDefaults(statefulSet: Part): void {
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

export const readyOfDesired = ({ spec, status }: KubeObject): string =>
  `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;

const keepsAll =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

/** @param field how upstream names the claim's spec: not at all on creation, and on update as Go does */
function warningsForVolumeClaimTemplates({ spec }: KubeObject, field: '' | '.Spec'): string[] {
  const warnings: string[] = [];
  for (const [index, claim] of (spec?.volumeClaimTemplates ?? []).entries()) {
    addPersistentVolumeClaimSpecWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]${field}`, warnings);
  }
  if (spec?.revisionHistoryLimit < 0) warnings.push(keepsAll);
  return warnings;
}

export const statefulSetWarnings: WarningStrategy = {
  warningsOnCreate: (object) => [
    ...warningsForPodTemplate(object.spec?.template, templatePath),
    ...warningsForVolumeClaimTemplates(object, ''),
  ],
  warningsOnUpdate: (object, old) => [
    ...(isChanged(object, old) ? warningsForPodTemplate(object.spec?.template, templatePath) : none),
    ...warningsForVolumeClaimTemplates(object, '.Spec'),
  ],
};
