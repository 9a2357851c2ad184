/** What pods, templates and older objects differ in. Gates that v1.35 has on are not in it. (PodValidationOptions) */
export interface PodValidationOptions {
  /** The object is a pod: rules for pods, but not for templates, hold. */
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

/** For new templates. */
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

/** For new pods. */
export const newPod: PodValidationOptions = { ...newTemplate, resourceIsPod: true };
