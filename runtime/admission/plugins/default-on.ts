/** The plugins that are on by default and always have a part, in one module, since every server loads all of them. */
export {
  newCertificateApproval,
  newCertificateSigning,
  newCertificateSubjectRestriction,
} from './certificates/certificate-requests.ts';
export { newClusterTrustBundleAttest } from './certificates/cluster-trust-bundles.ts';
export { newDefaultIngressClass } from './default-ingress-class/admission.ts';
export { newDefaultStorageClass } from './default-storage-class/admission.ts';
export { newDefaultTolerationSeconds } from './default-toleration-seconds/admission.ts';
export { newLimitRanger } from './limit-ranger/admission.ts';
export { newNamespaceLifecycle } from './namespace-lifecycle/admission.ts';
export { newPersistentVolumeClaimResize } from './persistent-volume-claim-resize/admission.ts';
export { newPodSecurity } from './pod-security/admission.ts';
export { newPodTopologyLabels } from './pod-topology-labels/admission.ts';
export { newPriority } from './priority/admission.ts';
export { newResourceQuota } from './resource-quota/admission.ts';
export { newRuntimeClass } from './runtime-class/admission.ts';
export { newServiceAccount } from './service-account/admission.ts';
export { newStorageObjectInUseProtection } from './storage-object-in-use-protection/admission.ts';
export { newTaintNodesByCondition } from './taint-nodes-by-condition/admission.ts';
