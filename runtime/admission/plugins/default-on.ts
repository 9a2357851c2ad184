/** The plugins that are on by default and always take part, in one module, since every server loads all of them. */
export {
  newCertificateApproval,
  newCertificateSigning,
  newCertificateSubjectRestriction,
} from './certificates/certificate-requests.ts';
export { newClusterTrustBundleAttest } from './certificates/cluster-trust-bundles.ts';
export { newDefaultIngressClass } from './default-ingress-class.ts';
export { newDefaultStorageClass } from './default-storage-class.ts';
export { newDefaultTolerationSeconds } from './default-toleration-seconds.ts';
export { newLimitRanger } from './limit-ranger/limit-ranger.ts';
export { newNamespaceLifecycle } from './namespace-lifecycle/namespace-lifecycle.ts';
export { newPersistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
export { newPodSecurity } from './pod-security/pod-security.ts';
export { newPodTopologyLabels } from './pod-topology-labels.ts';
export { newPriority } from './priority.ts';
export { newResourceQuota } from './resource-quota/resource-quota.ts';
export { newRuntimeClass } from './runtime-class.ts';
export { newServiceAccount } from './service-account/service-account.ts';
export { newStorageObjectInUseProtection } from './storage-object-in-use-protection.ts';
export { newTaintNodesByCondition } from './taint-nodes-by-condition.ts';
