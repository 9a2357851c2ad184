/**
 * Differences between the rules for pods, templates and older objects. Gates that are on in v1.35 have no option.
 * (PodValidationOptions)
 */
export interface PodValidationOptions {
  /** The object is a pod, not a template. */
  readonly resourceIsPod: boolean;
  readonly allowInvalidPodDeletionCost: boolean;
  readonly allowIndivisibleHugePagesValues: boolean;
  readonly allowNamespacedSysctlsForHostNetAndHostIPC: boolean;
  readonly allowUserNamespacesHostNetworkSupport: boolean;
  readonly allowUserNamespacesWithVolumeDevices: boolean;
  readonly allowInvalidLabelValueInSelector: boolean;
  readonly allowInvalidTopologySpreadConstraintLabelSelector: boolean;
  readonly oldPodViolatesMatchLabelKeysValidation: boolean;
  readonly allowInvalidLabelValueInRequiredNodeAffinity: boolean;
  readonly allowNonLocalProjectedTokenPath: boolean;
  readonly allowOnlyRecursiveSELinuxChangePolicy: boolean;
}

/** The options for new templates. */
export const newTemplate: PodValidationOptions = {
  resourceIsPod: false,
  allowInvalidPodDeletionCost: false,
  allowIndivisibleHugePagesValues: false,
  allowNamespacedSysctlsForHostNetAndHostIPC: false,
  allowUserNamespacesHostNetworkSupport: false,
  allowUserNamespacesWithVolumeDevices: false,
  allowInvalidLabelValueInSelector: false,
  allowInvalidTopologySpreadConstraintLabelSelector: false,
  oldPodViolatesMatchLabelKeysValidation: false,
  allowInvalidLabelValueInRequiredNodeAffinity: false,
  allowNonLocalProjectedTokenPath: false,
  allowOnlyRecursiveSELinuxChangePolicy: true,
};

/** The options for new pods. */
export const newPod: PodValidationOptions = { ...newTemplate, resourceIsPod: true };
