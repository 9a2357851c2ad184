import type { Demand } from './on-demand.ts';
import type { PluginFactory } from './plugin.ts';

interface KnownPlugin {
  readonly default: boolean;
  /** The plugin does nothing until then. Absent for those that always have a part. */
  readonly demand?: Demand;
  load(): Promise<PluginFactory>;
}

const registration = { group: 'admissionregistration.k8s.io' };

/** All plugins, in the order in which they are asked. (kubeapiserver/options/plugins.go AllOrderedPlugins, DefaultOffAdmissionPlugins) */
export const knownPlugins: Readonly<Record<string, KnownPlugin>> = {
  AlwaysAdmit: {
    default: false,
    load: async () => (await import('./plugins/always-admit/admission.ts')).newAlwaysAdmit,
  },
  NamespaceAutoProvision: {
    default: false,
    load: async () => (await import('./plugins/namespace-auto-provision/admission.ts')).newNamespaceAutoProvision,
  },
  NamespaceLifecycle: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newNamespaceLifecycle,
  },
  NamespaceExists: {
    default: false,
    load: async () => (await import('./plugins/namespace-exists/admission.ts')).newNamespaceExists,
  },
  LimitPodHardAntiAffinityTopology: {
    default: false,
    load: async () =>
      (await import('./plugins/limit-pod-hard-anti-affinity-topology/admission.ts'))
        .newLimitPodHardAntiAffinityTopology,
  },
  LimitRanger: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newLimitRanger,
  },
  ServiceAccount: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newServiceAccount,
  },
  NodeRestriction: {
    default: false,
    load: async () => (await import('./plugins/node-restriction/admission.ts')).newNodeRestriction,
  },
  TaintNodesByCondition: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newTaintNodesByCondition,
  },
  AlwaysPullImages: {
    default: false,
    load: async () => (await import('./plugins/always-pull-images/admission.ts')).newAlwaysPullImages,
  },
  ImagePolicyWebhook: {
    default: false,
    load: async () => (await import('./plugins/image-policy-webhook/admission.ts')).newImagePolicyWebhook,
  },
  PodSecurity: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newPodSecurity,
  },
  PodNodeSelector: {
    default: false,
    load: async () => (await import('./plugins/pod-node-selector/admission.ts')).newPodNodeSelector,
  },
  Priority: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newPriority,
  },
  DefaultTolerationSeconds: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newDefaultTolerationSeconds,
  },
  PodTolerationRestriction: {
    default: false,
    load: async () => (await import('./plugins/pod-toleration-restriction/admission.ts')).newPodTolerationRestriction,
  },
  EventRateLimit: {
    default: false,
    load: async () => (await import('./plugins/event-rate-limit/admission.ts')).newEventRateLimit,
  },
  ExtendedResourceToleration: {
    default: false,
    load: async () =>
      (await import('./plugins/extended-resource-toleration/admission.ts')).newExtendedResourceToleration,
  },
  DefaultStorageClass: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newDefaultStorageClass,
  },
  StorageObjectInUseProtection: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newStorageObjectInUseProtection,
  },
  OwnerReferencesPermissionEnforcement: {
    default: false,
    load: async () =>
      (await import('./plugins/owner-references-permission-enforcement/admission.ts'))
        .newOwnerReferencesPermissionEnforcement,
  },
  PersistentVolumeClaimResize: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newPersistentVolumeClaimResize,
  },
  RuntimeClass: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newRuntimeClass,
  },
  CertificateApproval: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newCertificateApproval,
  },
  CertificateSigning: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newCertificateSigning,
  },
  ClusterTrustBundleAttest: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newClusterTrustBundleAttest,
  },
  CertificateSubjectRestriction: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newCertificateSubjectRestriction,
  },
  DefaultIngressClass: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newDefaultIngressClass,
  },
  DenyServiceExternalIPs: {
    default: false,
    load: async () => (await import('./plugins/deny-service-external-ips/admission.ts')).newDenyServiceExternalIPs,
  },
  PodTopologyLabels: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newPodTopologyLabels,
  },
  MutatingAdmissionPolicy: {
    default: true,
    demand: { objects: { ...registration, version: 'v1beta1', resource: 'mutatingadmissionpolicies' }, step: 'admit' },
    load: async () => (await import('./plugins/mutating-admission-policy/admission.ts')).newMutatingAdmissionPolicy,
  },
  MutatingAdmissionWebhook: {
    default: true,
    demand: { objects: { ...registration, version: 'v1', resource: 'mutatingwebhookconfigurations' }, step: 'admit' },
    load: async () => (await import('./plugins/mutating-webhook/admission.ts')).newMutatingWebhook,
  },
  ValidatingAdmissionPolicy: {
    default: true,
    demand: { objects: { ...registration, version: 'v1', resource: 'validatingadmissionpolicies' }, step: 'validate' },
    load: async () => (await import('./plugins/validating-admission-policy/admission.ts')).newValidatingAdmissionPolicy,
  },
  ValidatingAdmissionWebhook: {
    default: true,
    demand: {
      objects: { ...registration, version: 'v1', resource: 'validatingwebhookconfigurations' },
      step: 'validate',
    },
    load: async () => (await import('./plugins/validating-webhook/admission.ts')).newValidatingWebhook,
  },
  ResourceQuota: {
    default: true,
    load: async () => (await import('./plugins/default-on.ts')).newResourceQuota,
  },
  AlwaysDeny: {
    default: false,
    load: async () => (await import('./plugins/always-deny/admission.ts')).newAlwaysDeny,
  },
};

/** The plugins that are on, in their order. @param enable and @param disable names that are known */
export function enabledPlugins(enable: readonly string[] = [], disable: readonly string[] = []): string[] {
  return Object.keys(knownPlugins).filter(
    (name) => enable.includes(name) || (knownPlugins[name].default && !disable.includes(name)),
  );
}
