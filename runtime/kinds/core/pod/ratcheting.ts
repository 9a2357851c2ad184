import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { labelValue } from '../../../machinery/validation/name-formats.ts';
import { validateLabelSelector } from '../../validation/labels.ts';
import { isHugePageResourceName, type ResourceList } from '../resource-list.ts';
import { validateLocalNonReservedPath } from '../volume-sources.ts';
import { podAffinityTerms, requiredTerms, validatePodAffinityTermSelector } from './affinity.ts';
import { isDeletionCost } from './annotations.ts';
import { containerLists } from './container-visitor.ts';
import { validateMatchLabelKeysAndMismatchLabelKeys } from './label-keys.ts';
import { isHugePageResourceValueDivisible } from './resource-requirements.ts';
import { hostSysctlProblem } from './sysctls.ts';
import { newPod, newTemplate, type PodValidationOptions } from './validation-options.ts';

/** Errors that an update may keep because the stored object has them. (pkg/api/pod/util.go) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;
type PodTemplate = Unvalidated<core.PodTemplateSpec>;

export const validationOptionsFromPod = (old: Pod): PodValidationOptions => ratchet(newPod, old);

/** Updates of the status consider annotations only. */
export const validationOptionsForStatus = ({ metadata }: Pod): PodValidationOptions =>
  isDeletionCost(metadata?.annotations) ? newPod : { ...newPod, allowInvalidPodDeletionCost: true };

/** (GetValidationOptionsFromPodTemplate) */
export const validationOptionsFromPodTemplate = (old: PodTemplate | undefined): PodValidationOptions =>
  old === undefined ? newTemplate : ratchet(newTemplate, old);

/** (GetValidationOptionsFromPodSpecAndMeta) */
function ratchet(options: PodValidationOptions, { spec = {}, metadata }: Pod | PodTemplate): PodValidationOptions {
  const constraints = spec.topologySpreadConstraints ?? [];
  return {
    ...options,
    allowIndivisibleHugePagesValues: usesIndivisibleHugePagesValues(spec),
    allowNamespacedSysctlsForHostNetAndHostIPC: (spec.securityContext?.sysctls ?? []).some(
      ({ name = '' }) => hostSysctlProblem(name, spec) !== undefined,
    ),
    allowUserNamespacesHostNetworkSupport: spec.hostUsers === false && spec.hostNetwork === true,
    allowUserNamespacesWithVolumeDevices: spec.hostUsers === false && hasVolumeDevices(spec),
    allowInvalidLabelValueInSelector: hasInvalidLabelValueInAffinitySelector(spec),
    allowInvalidLabelValueInRequiredNodeAffinity: hasInvalidLabelValueInRequiredNodeAffinity(spec),
    allowNonLocalProjectedTokenPath: hasNonLocalProjectedTokenPath(spec),
    allowOnlyRecursiveSELinuxChangePolicy: spec.securityContext?.seLinuxChangePolicy === undefined,
    allowInvalidTopologySpreadConstraintLabelSelector: constraints.some(({ labelSelector }) =>
      hasErrors((field) => validateLabelSelector(labelSelector, field)),
    ),
    oldPodViolatesMatchLabelKeysValidation: constraints.some(({ matchLabelKeys, labelSelector }) =>
      hasErrors((field) => validateMatchLabelKeysAndMismatchLabelKeys({ matchLabelKeys, labelSelector }, field)),
    ),
    allowInvalidPodDeletionCost: !isDeletionCost(metadata?.annotations),
  };
}

function hasErrors(validate: (field: Field) => void): boolean {
  const field = Field.at(FieldPath.root, []);
  validate(field);
  return field.errors.length > 0;
}

/** (usesIndivisibleHugePagesValues) */
function usesIndivisibleHugePagesValues(spec: PodSpec): boolean {
  if (hasIndivisibleHugePages(spec.overhead)) return true;
  return containerLists.some((list) =>
    spec[list]?.some(({ resources }) => hasIndivisibleHugePages(resources?.limits) || hasIndivisibleHugePages(resources?.requests)),
  );
}

function hasIndivisibleHugePages(list: Readonly<ResourceList> | undefined): boolean {
  for (const [name, quantity] of Object.entries(list ?? {})) {
    if (isHugePageResourceName(name) && !isHugePageResourceValueDivisible(name, quantity)) return true;
  }
  return false;
}

/** (hasUserNamespacesWithVolumeDevices) */
const hasVolumeDevices = (spec: PodSpec): boolean =>
  containerLists.some((list) => spec[list]?.some(({ volumeDevices }) => volumeDevices?.length));

/** (hasInvalidLabelValueInAffinitySelector) */
function hasInvalidLabelValueInAffinitySelector({ affinity }: PodSpec): boolean {
  if (!affinity) return false;
  const terms = podAffinityTerms(affinity);
  return terms.some((term) => hasErrors((field) => validatePodAffinityTermSelector(term, field, newPod)));
}

/** (hasInvalidLabelValueInRequiredNodeAffinity) */
function hasInvalidLabelValueInRequiredNodeAffinity({ affinity }: PodSpec): boolean {
  for (const { matchExpressions } of affinity?.nodeAffinity?.[requiredTerms]?.nodeSelectorTerms ?? []) {
    for (const { values } of matchExpressions ?? []) {
      if (values?.some((value) => labelValue(value).length > 0)) return true;
    }
  }
  return false;
}

/** (hasNonLocalProjectedTokenPath) */
function hasNonLocalProjectedTokenPath({ volumes }: PodSpec): boolean {
  for (const { projected } of volumes ?? []) {
    for (const { serviceAccountToken } of projected?.sources ?? []) {
      const path = serviceAccountToken?.path;
      if (path !== undefined && hasErrors((field) => validateLocalNonReservedPath(path, field))) return true;
    }
  }
  return false;
}
