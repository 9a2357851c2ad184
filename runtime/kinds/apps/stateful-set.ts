import type { KubeObject, Part } from '../../machinery/object.ts';
import { forbidden, invalid, required } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { addPersistentVolumeClaimSpecWarnings } from '../core/persistent-volume-claim.ts';
import { validatePodTemplateMetadata } from '../core/pod/validation.ts';
import { type Errors, semanticDeepEqual, validateEnum, validateNonnegativeField } from '../validation/fields.ts';
import { none, type WarningRules } from '../warnings.ts';
import {
  isChanged,
  templatePath,
  validateNonnegativeFields,
  validateSelectorAndTemplate,
  warningsForPodTemplate,
} from './pod-template.ts';
import { countsOf, validateReplicaCounts } from './replica-counts.ts';

export function validateStatefulSet(statefulSet: Part, path: FieldPath, errors: Errors): void {
  validateReplicaCounts(statefulSet, countsOf.statefulSet, path, errors);
  const spec = statefulSet.spec ?? {};
  const at = path.child('spec');
  const policy = spec.podManagementPolicy ?? '';
  if (policy === '') errors.push(required(at.child('podManagementPolicy')));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalid(at.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  validateStatefulSetUpdateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'), errors);
  for (const when of ['whenDeleted', 'whenScaled']) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[when];
    const retention = at.child('persistentVolumeClaimRetentionPolicy', when);
    if (value) validateEnum(value, ['Retain', 'Delete'], retention, errors);
  }
  validateNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at, errors);
  validateNonnegativeField(spec.ordinals?.start, at.child('ordinals', 'start'), errors);
  // Upstream leaves the spec of the template to the pods made of it: its volumes are partly those of the claims.
  const names = { selector: 'statefulset', kind: 'StatefulSet', checkTemplate: validatePodTemplateMetadata };
  validateSelectorAndTemplate(spec, names, at, errors);
}

function validateStatefulSetUpdateStrategy(
  { type, rollingUpdate, ...rest }: Part,
  path: FieldPath,
  errors: Errors,
): void {
  if (!type) errors.push(required(path));
  else if (type === 'OnDelete') {
    if (rollingUpdate) {
      const detail = "only allowed for updateStrategy 'RollingUpdate'";
      errors.push(invalid(path.child('rollingUpdate'), rollingUpdate, detail));
    }
  } else if (type === 'RollingUpdate') {
    validateNonnegativeField(rollingUpdate?.partition, path.child('rollingUpdate', 'partition'), errors);
  } else {
    errors.push(invalid(path, { type, rollingUpdate, ...rest }, "must be 'RollingUpdate' or 'OnDelete'"));
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
export function validateStatefulSetUpdate(statefulSet: Part, old: Part, path: FieldPath, errors: Errors): void {
  const kept = ({ spec = {} }: Part): Part =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !changeable.includes(name)));
  if (semanticDeepEqual(kept(statefulSet), kept(old))) return;
  const names = changeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const detail = `updates to statefulset spec for fields other than ${list} are forbidden`;
  errors.push(forbidden(path.child('spec'), detail));
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

export const statefulSetWarnings: WarningRules = {
  onCreate: (object) => [
    ...warningsForPodTemplate(object.spec?.template, templatePath),
    ...warningsForVolumeClaimTemplates(object, ''),
  ],
  onUpdate: (object, old) => [
    ...(isChanged(object, old) ? warningsForPodTemplate(object.spec?.template, templatePath) : none),
    ...warningsForVolumeClaimTemplates(object, '.Spec'),
  ],
};
