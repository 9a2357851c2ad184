import type { ObjectMeta } from '../../machinery/object.ts';
import { warnOfClaimSpec } from './byte-amounts.ts';
import { labelWarning, warnOfNodeSelector, warnOfNodeSelectorTerm } from './node-labels.ts';
import { always, type WarningRules } from './rules.ts';
import { warnOfPersistentKinds } from './volumes.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const optionsAnnotation = 'volume.beta.kubernetes.io/mount-options';
const useClassName = 'deprecated since v1.8; use "storageClassName" attribute instead';
const useOptions = 'deprecated since v1.31; use "mountOptions" attribute instead';

function warnOfAnnotation({ annotations }: ObjectMeta, key: string, why: string, warnings: string[]): void {
  if (annotations && Object.hasOwn(annotations, key)) warnings.push(`metadata.annotations[${key}]: ${why}`);
}

/** (pkg/api/persistentvolumeclaim/util.go) */
export const persistentVolumeClaims: WarningRules = always(({ metadata, spec }) => {
  const warnings: string[] = [];
  warnOfAnnotation(metadata, classAnnotation, useClassName, warnings);
  warnOfClaimSpec(spec, 'spec', warnings);
  return warnings;
});

/** (pkg/api/persistentvolume/util.go) */
export const persistentVolumes: WarningRules = always(({ metadata, spec = {} }) => {
  const warnings: string[] = [];
  warnOfAnnotation(metadata, classAnnotation, useClassName, warnings);
  warnOfAnnotation(metadata, optionsAnnotation, useOptions, warnings);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const advice = 'Instead, the recommended approach is to use dynamic provisioning.';
    warnings.push(`spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. ${advice}`);
  }
  for (const [index, term] of (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    warnOfNodeSelectorTerm(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, false, warnings);
  }
  warnOfPersistentKinds(spec, warnings);
  return warnings;
});

/** (pkg/api/storage/util.go) */
export const storageClasses: WarningRules = always(({ allowedTopologies }) => {
  const warnings: string[] = [];
  for (const [index, { matchLabelExpressions }] of (allowedTopologies ?? []).entries()) {
    for (const [place, { key }] of (matchLabelExpressions ?? []).entries()) {
      const why = labelWarning(key);
      const at = `allowedTopologies[${index}].matchLabelExpressions[${place}].key`;
      if (why !== undefined) warnings.push(`${at}: ${why}`);
    }
  }
  return warnings;
});

export const storageCapacities: WarningRules = always(({ nodeTopology }) => {
  const warnings: string[] = [];
  warnOfNodeSelector(nodeTopology, 'nodeTopology', warnings);
  return warnings;
});
