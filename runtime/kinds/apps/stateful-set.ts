import type * as apps from '../../../generated/v1.35/apps/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { addPersistentVolumeClaimSpecWarnings } from '../core/persistent-volume-claim.ts';
import type { KindFeatures } from '../features.ts';
import { none, type WriteWarnings } from '../warnings.ts';
import { validateStatefulSetCreate, validateStatefulSetUpdate } from './stateful-set-validation.ts';
import { validateStatefulSetStatus } from './status.ts';
import { isChanged, setZeroReplicas, templatePath, validateCollisionCountUpdate, warningsForPodTemplate } from './workloads.ts';

type StatefulSet = Unvalidated<apps.StatefulSet>;

/** (pkg/registry/apps/statefulset/strategy.go) */
export const newStatefulSetStrategy = ({ MaxUnavailableStatefulSet: allows }: KindFeatures = {}): RESTStrategy => ({
  afterDecoding(statefulSet) {
    setZeroReplicas(statefulSet);
    if (allows) setDefaultMaxUnavailable(statefulSet);
  },
  prepareForCreate(statefulSet: StatefulSet) {
    if (!allows) dropStatefulSetDisabledFields(statefulSet, undefined);
  },
  prepareForUpdate(statefulSet: StatefulSet, old: StatefulSet, { part }) {
    if (part !== 'status' && !allows) dropStatefulSetDisabledFields(statefulSet, old);
  },
  validateCreate: ({ spec }: StatefulSet, errors) => validateStatefulSetCreate(spec ?? {}, Field.at(FieldPath.of('spec'), errors)),
  validateUpdate({ spec, status }: StatefulSet, old: StatefulSet, errors, { part }) {
    if (part === 'status') {
      const at = Field.at(FieldPath.of('status'), errors);
      validateStatefulSetStatus(status, at);
      validateCollisionCountUpdate(status, old.status, at);
    } else validateStatefulSetUpdate(spec ?? {}, old.spec ?? {}, Field.at(FieldPath.of('spec'), errors));
  },
});

/** (SetDefaults_StatefulSet, if the gate MaxUnavailableStatefulSet is on) */
function setDefaultMaxUnavailable({ spec }: StatefulSet): void {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (type === 'RollingUpdate' && rollingUpdate) rollingUpdate.maxUnavailable ??= 1;
}

/** Drops the field while the gate MaxUnavailableStatefulSet is off, unless another server stored it. */
function dropStatefulSetDisabledFields({ spec }: StatefulSet, old: StatefulSet | undefined): void {
  const rollingUpdate = spec?.updateStrategy?.rollingUpdate;
  if (rollingUpdate?.maxUnavailable === undefined) return;
  if (old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined) delete rollingUpdate.maxUnavailable;
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

export const readyOfDesired = ({ spec, status }: StatefulSet): string => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;

const keepsAllRevisions = 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

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
export const statefulSetWarnings: WriteWarnings<StatefulSet> = {
  warningsOnCreate: (statefulSet) => [
    ...warningsForPodTemplate(statefulSet.spec?.template, templatePath),
    ...warningsForVolumeClaimTemplates(statefulSet, ''),
  ],
  warningsOnUpdate: (statefulSet, old) => [
    ...(isChanged(statefulSet, old) ? warningsForPodTemplate(statefulSet.spec?.template, templatePath) : none),
    ...warningsForVolumeClaimTemplates(statefulSet, '.Spec'),
  ],
};
