import { formatGroupVersion, type GroupVersionKind } from '../machinery/gvk.ts';
import { isKindOfEveryVersion } from '../resources/decoding/meta-kinds.ts';

/**
 * Kinds that kube-apiserver decodes and does not serve by default: kinds of former and of preview versions, options of
 * streams, and bodies of subresources. The kinds in `lists` have list kinds, too. The server refuses a body of such a
 * kind because of its version, or because it is not convertible, but not as an unknown kind. (pkg/api/legacyscheme, and the schemes of apiextensions and of the aggregator, v1.35)
 */
const registered: Readonly<Record<string, { readonly lists?: readonly string[]; readonly single?: readonly string[] }>> = {
  'admission.k8s.io/v1': { single: ['AdmissionReview'] },
  'admission.k8s.io/v1beta1': { single: ['AdmissionReview'] },
  'admissionregistration.k8s.io/v1alpha1': {
    lists: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  },
  'admissionregistration.k8s.io/v1beta1': {
    lists: [
      'MutatingAdmissionPolicy',
      'MutatingAdmissionPolicyBinding',
      'MutatingWebhookConfiguration',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'ValidatingWebhookConfiguration',
    ],
  },
  'apiextensions.k8s.io/v1': { single: ['ConversionReview'] },
  'apiextensions.k8s.io/v1beta1': { lists: ['CustomResourceDefinition'], single: ['ConversionReview'] },
  'apiregistration.k8s.io/v1beta1': { lists: ['APIService'] },
  'apps/v1beta1': { lists: ['ControllerRevision', 'Deployment', 'StatefulSet'], single: ['DeploymentRollback', 'Scale'] },
  'apps/v1beta2': { lists: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'], single: ['Scale'] },
  'authentication.k8s.io/v1': { single: ['TokenRequest'] },
  'authentication.k8s.io/v1beta1': { single: ['SelfSubjectReview', 'TokenReview'] },
  'authorization.k8s.io/v1beta1': {
    single: ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  },
  'autoscaling/v1': { single: ['Scale'] },
  'autoscaling/v2beta1': { lists: ['HorizontalPodAutoscaler'] },
  'autoscaling/v2beta2': { lists: ['HorizontalPodAutoscaler'] },
  'batch/v1beta1': { lists: ['CronJob'] },
  'certificates.k8s.io/v1alpha1': { lists: ['ClusterTrustBundle'] },
  'certificates.k8s.io/v1beta1': { lists: ['CertificateSigningRequest', 'ClusterTrustBundle', 'PodCertificateRequest'] },
  'coordination.k8s.io/v1alpha2': { lists: ['LeaseCandidate'] },
  'coordination.k8s.io/v1beta1': { lists: ['Lease', 'LeaseCandidate'] },
  'discovery.k8s.io/v1beta1': { lists: ['EndpointSlice'] },
  'events.k8s.io/v1beta1': { lists: ['Event'] },
  'extensions/v1beta1': {
    lists: ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet'],
    single: ['DeploymentRollback', 'Scale'],
  },
  'flowcontrol.apiserver.k8s.io/v1beta1': { lists: ['FlowSchema', 'PriorityLevelConfiguration'] },
  'flowcontrol.apiserver.k8s.io/v1beta2': { lists: ['FlowSchema', 'PriorityLevelConfiguration'] },
  'flowcontrol.apiserver.k8s.io/v1beta3': { lists: ['FlowSchema', 'PriorityLevelConfiguration'] },
  'imagepolicy.k8s.io/v1alpha1': { single: ['ImageReview'] },
  'internal.apiserver.k8s.io/v1alpha1': { lists: ['StorageVersion'] },
  'networking.k8s.io/v1beta1': { lists: ['IPAddress', 'Ingress', 'IngressClass', 'ServiceCIDR'] },
  'node.k8s.io/v1alpha1': { lists: ['RuntimeClass'] },
  'node.k8s.io/v1beta1': { lists: ['RuntimeClass'] },
  'policy/v1': { single: ['Eviction'] },
  'policy/v1beta1': { lists: ['PodDisruptionBudget'], single: ['Eviction'] },
  'rbac.authorization.k8s.io/v1alpha1': { lists: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'] },
  'rbac.authorization.k8s.io/v1beta1': { lists: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'] },
  'resource.k8s.io/v1alpha3': { lists: ['DeviceTaintRule'] },
  'resource.k8s.io/v1beta1': { lists: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'] },
  'resource.k8s.io/v1beta2': { lists: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'] },
  'scheduling.k8s.io/v1alpha1': { lists: ['PriorityClass', 'Workload'] },
  'scheduling.k8s.io/v1beta1': { lists: ['PriorityClass'] },
  'storage.k8s.io/v1alpha1': { lists: ['CSIStorageCapacity', 'VolumeAttachment', 'VolumeAttributesClass'] },
  'storage.k8s.io/v1beta1': {
    lists: ['CSIDriver', 'CSINode', 'CSIStorageCapacity', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
  },
  'storagemigration.k8s.io/v1beta1': { lists: ['StorageVersionMigration'] },
  v1: {
    single: [
      'NodeProxyOptions',
      'PodAttachOptions',
      'PodExecOptions',
      'PodLogOptions',
      'PodPortForwardOptions',
      'PodProxyOptions',
      'PodStatusResult',
      'RangeAllocation',
      'SerializedReference',
      'ServiceProxyOptions',
    ],
  },
};

/** Reports whether kube-apiserver knows a kind that it does not serve. (Scheme.Recognizes) */
export function isRegistered(gvk: GroupVersionKind): boolean {
  const { kind } = gvk;
  const groupVersion = formatGroupVersion(gvk);
  if (!Object.hasOwn(registered, groupVersion)) return false;
  const { lists = [], single = [] } = registered[groupVersion] ?? {};
  return isKindOfEveryVersion(kind) || single.includes(kind) || lists.includes(kind.replace(/List$/, ''));
}
