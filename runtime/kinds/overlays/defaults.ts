/** Defaults that overlays name as `custom`: functions that fill in an object of their type. */
export { setCustomResourceDefinitionDefaults } from '../apiextensions.k8s.io/custom-resource-definition.ts';
export { setDaemonSetDefaults } from '../apps/daemon-set.ts';
export { setDeploymentDefaults } from '../apps/deployment.ts';
export { setStatefulSetDefaults } from '../apps/stateful-set.ts';
export {
  setHorizontalPodAutoscalerBehaviorDefaults,
  setHorizontalPodAutoscalerDefaults,
} from '../autoscaling/horizontal-pod-autoscaler/defaults.ts';
export { setJobDefaults } from '../batch/job.ts';
export { setLimitRangeDefaults } from '../core/limit-range.ts';
export { setNamespaceLabel } from '../core/namespace.ts';
export { setNodeAllocatable, setNodePodCIDRs } from '../core/node.ts';
export { roundCapacity, setPersistentVolumeDefaults } from '../core/persistent-volume.ts';
export { roundClaimCapacity, setClaimPhase } from '../core/persistent-volume-claim.ts';
export {
  dropInitContainerAnnotations,
  roundAllocatedResources,
  roundPodOverhead,
  roundResources,
  setContainerPullPolicy,
  setHostNetworkPorts,
  setPodAddresses,
  setPodGracePeriod,
  setPodRequests,
  setPodServiceLinks,
  setServiceAccountAlias,
  setVolumeSource,
} from '../core/pod/defaults.ts';
export { setReplicationControllerLabels } from '../core/replication-controller.ts';
export { roundHard, roundHardAndUsed } from '../core/resource-quota.ts';
export { mergeStringData } from '../core/secret.ts';
export { setServiceDefaults } from '../core/service/defaults.ts';
export { setNetworkPolicyDefaults } from '../networking.k8s.io/network-policy.ts';
export { setDeviceTaintDefaults } from '../resource.k8s.io/device-taint-rule.ts';
export { setDeviceRequestDefaults } from '../resource.k8s.io/resource-claim.ts';
