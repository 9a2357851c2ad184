/** Columns that overlays name as `custom`: functions (object, now) => cell. */
export { age, ageOf, createdAt } from '../../machinery/age.ts';
export {
  bindingParam,
  policyMutations,
  policyParamKind,
  policyValidations,
} from '../admissionregistration.k8s.io/policy-columns.ts';
export { webhookCount } from '../admissionregistration.k8s.io/webhook-configuration.ts';
export { apiServiceAvailable, apiServiceBackend } from '../apiregistration.k8s.io/api-service.ts';
export { controllerRevisionOwner } from '../apps/controller-revision.ts';
export { daemonSetNodeSelector } from '../apps/daemon-set.ts';
export { deploymentSelector } from '../apps/deployment.ts';
export { readyOfDesired } from '../apps/stateful-set.ts';
export {
  hpaMinPods,
  hpaTargets,
  hpaTargetsV1,
  scaleTargetText,
} from '../autoscaling/horizontal-pod-autoscaler/printer.ts';
export {
  cronJobActive,
  cronJobContainers,
  cronJobImages,
  cronJobLastSchedule,
  cronJobSelector,
  cronJobSuspend,
} from '../batch/cron-job.ts';
export { jobCompletions, jobDuration, jobStatus } from '../batch/job.ts';
export { requestCondition, requestDuration } from '../certificates.k8s.io/certificate-signing-request.ts';
export { podCertificateAnnotations, podCertificateState } from '../certificates.k8s.io/pod-certificate-request.ts';
export { componentError, componentMessage, componentStatus } from '../core/component-status.ts';
export { configMapData } from '../core/config-map.ts';
export { endpointsText } from '../core/endpoints.ts';
export { eventCount, eventFirstSeen, eventLastSeen, eventMessage, eventObject, eventSource } from '../core/event.ts';
export { nodeExternalIP, nodeInternalIP, nodeRoles, nodeStatus } from '../core/node.ts';
export {
  phaseOrTerminating,
  storageClassOf,
  volumeAccessModes,
  volumeCapacity,
  volumeClaim,
} from '../core/persistent-volume.ts';
export { claimAccessModes, claimCapacity } from '../core/persistent-volume-claim.ts';
export { podReadinessGates, podReady, podRestarts, podRowConditions, podStatus } from '../core/pod/printer.ts';
export { podTemplateContainers, podTemplateImages, podTemplateLabels } from '../core/pod-template.ts';
export { quotaLimits, quotaRequests } from '../core/resource-quota.ts';
export { secretData } from '../core/secret.ts';
export { serviceExternalIP, servicePorts } from '../core/service/printer.ts';
export { endpointSliceEndpoints, endpointSlicePorts } from '../discovery.k8s.io/endpoint-slice.ts';
export {
  eventsCount,
  eventsFirstSeen,
  eventsLastSeen,
  eventsMessage,
  eventsObject,
  eventsSource,
} from '../events.k8s.io/event.ts';
export {
  byMatchingPrecedence,
  flowSchemaDistinguisher,
  flowSchemaMissingLevel,
} from '../flowcontrol.apiserver.k8s.io/flow-schema.ts';
export {
  priorityLevelHandSize,
  priorityLevelQueueLength,
  priorityLevelQueues,
  priorityLevelShares,
} from '../flowcontrol.apiserver.k8s.io/priority-level-configuration.ts';
export { storageVersionList } from '../internal.apiserver.k8s.io/storage-version.ts';
export { ingressAddress, ingressHosts, ingressPorts } from '../networking.k8s.io/ingress.ts';
export { ingressClassParameters } from '../networking.k8s.io/ingress-class.ts';
export { ipAddressParent } from '../networking.k8s.io/ip-address.ts';
export { networkPolicySelector } from '../networking.k8s.io/network-policy.ts';
export { serviceCIDRs } from '../networking.k8s.io/service-cidr.ts';
export { disruptionMaxUnavailable, disruptionMinAvailable } from '../policy/pod-disruption-budget.ts';
export {
  formatLabelSelector,
  formatLabels,
  labelSelector,
  mapSelector,
  workloadContainers,
  workloadImages,
} from '../printers.ts';
export {
  bindingGroups,
  bindingRole,
  bindingServiceAccounts,
  bindingUsers,
} from '../rbac.authorization.k8s.io/role-binding.ts';
export { deviceTaintAdded } from '../resource.k8s.io/device-taint-rule.ts';
export { resourceClaimState } from '../resource.k8s.io/resource-claim.ts';
export { csiDriverModes, csiDriverTokenRequests } from '../storage.k8s.io/csi-driver.ts';
export { csiNodeDrivers } from '../storage.k8s.io/csi-node.ts';
export { nameOrDefaultClass, storageClassExpansion } from '../storage.k8s.io/storage-class.ts';
export { migrationResource, migrationStatus } from '../storagemigration.k8s.io/storage-version-migration.ts';
