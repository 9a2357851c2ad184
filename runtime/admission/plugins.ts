import { madeOnce } from '../machinery/event-loop/made-once.ts';
import type { Demand } from './on-demand.ts';
import type { PluginFactory } from './plugin.ts';

interface KnownPlugin {
  /** Whether it is on unless it is turned off. */
  readonly isDefault?: boolean;
  /** The plugin does nothing until then. Absent for those that always have a part. */
  readonly demand?: Demand;
  load(): Promise<PluginFactory>;
}

const registration = { group: 'admissionregistration.k8s.io' };

/** A plugin of the module that every server loads. */
const defaultOn = madeOnce(() => import('./plugins/default-on.ts'));

const onByDefault = (factory: keyof typeof import('./plugins/default-on.ts')): KnownPlugin => ({
  isDefault: true,
  load: async () => (await defaultOn())[factory],
});

/** All plugins, in the order in which they are asked. (kubeapiserver/options/plugins.go AllOrderedPlugins, DefaultOffAdmissionPlugins) */
export const knownPlugins: Readonly<Record<string, KnownPlugin>> = {
  AlwaysAdmit: {
    load: async () => (await import('./plugins/always-admit/admission.ts')).newAlwaysAdmit,
  },
  NamespaceAutoProvision: {
    load: async () => (await import('./plugins/namespace-auto-provision/admission.ts')).newNamespaceAutoProvision,
  },
  NamespaceLifecycle: onByDefault('newNamespaceLifecycle'),
  NamespaceExists: {
    load: async () => (await import('./plugins/namespace-exists/admission.ts')).newNamespaceExists,
  },
  LimitPodHardAntiAffinityTopology: {
    load: async () => (await import('./plugins/limit-pod-hard-anti-affinity-topology/admission.ts')).newLimitPodHardAntiAffinityTopology,
  },
  LimitRanger: onByDefault('newLimitRanger'),
  ServiceAccount: onByDefault('newServiceAccount'),
  NodeRestriction: {
    load: async () => (await import('./plugins/node-restriction/admission.ts')).newNodeRestriction,
  },
  TaintNodesByCondition: onByDefault('newTaintNodesByCondition'),
  AlwaysPullImages: {
    load: async () => (await import('./plugins/always-pull-images/admission.ts')).newAlwaysPullImages,
  },
  ImagePolicyWebhook: {
    load: async () => (await import('./plugins/image-policy-webhook/admission.ts')).newImagePolicyWebhook,
  },
  PodSecurity: onByDefault('newPodSecurity'),
  PodNodeSelector: {
    load: async () => (await import('./plugins/pod-node-selector/admission.ts')).newPodNodeSelector,
  },
  Priority: onByDefault('newPriority'),
  DefaultTolerationSeconds: onByDefault('newDefaultTolerationSeconds'),
  PodTolerationRestriction: {
    load: async () => (await import('./plugins/pod-toleration-restriction/admission.ts')).newPodTolerationRestriction,
  },
  EventRateLimit: {
    load: async () => (await import('./plugins/event-rate-limit/admission.ts')).newEventRateLimit,
  },
  ExtendedResourceToleration: {
    load: async () => (await import('./plugins/extended-resource-toleration/admission.ts')).newExtendedResourceToleration,
  },
  DefaultStorageClass: onByDefault('newDefaultStorageClass'),
  StorageObjectInUseProtection: onByDefault('newStorageObjectInUseProtection'),
  OwnerReferencesPermissionEnforcement: {
    load: async () =>
      (await import('./plugins/owner-references-permission-enforcement/admission.ts')).newOwnerReferencesPermissionEnforcement,
  },
  PersistentVolumeClaimResize: onByDefault('newPersistentVolumeClaimResize'),
  RuntimeClass: onByDefault('newRuntimeClass'),
  CertificateApproval: onByDefault('newCertificateApproval'),
  CertificateSigning: onByDefault('newCertificateSigning'),
  ClusterTrustBundleAttest: onByDefault('newClusterTrustBundleAttest'),
  CertificateSubjectRestriction: onByDefault('newCertificateSubjectRestriction'),
  DefaultIngressClass: onByDefault('newDefaultIngressClass'),
  DenyServiceExternalIPs: {
    load: async () => (await import('./plugins/deny-service-external-ips/admission.ts')).newDenyServiceExternalIPs,
  },
  PodTopologyLabels: onByDefault('newPodTopologyLabels'),
  MutatingAdmissionPolicy: {
    isDefault: true,
    demand: { objects: { ...registration, version: 'v1beta1', resource: 'mutatingadmissionpolicies' }, step: 'admit' },
    load: async () => (await import('./plugins/mutating-admission-policy/admission.ts')).newMutatingAdmissionPolicy,
  },
  MutatingAdmissionWebhook: {
    isDefault: true,
    demand: { objects: { ...registration, version: 'v1', resource: 'mutatingwebhookconfigurations' }, step: 'admit' },
    load: async () => (await import('./plugins/mutating-webhook/admission.ts')).newMutatingWebhook,
  },
  ValidatingAdmissionPolicy: {
    isDefault: true,
    demand: { objects: { ...registration, version: 'v1', resource: 'validatingadmissionpolicies' }, step: 'validate' },
    load: async () => (await import('./plugins/validating-admission-policy/admission.ts')).newValidatingAdmissionPolicy,
  },
  ValidatingAdmissionWebhook: {
    isDefault: true,
    demand: {
      objects: { ...registration, version: 'v1', resource: 'validatingwebhookconfigurations' },
      step: 'validate',
    },
    load: async () => (await import('./plugins/validating-webhook/admission.ts')).newValidatingWebhook,
  },
  ResourceQuota: onByDefault('newResourceQuota'),
  AlwaysDeny: {
    load: async () => (await import('./plugins/always-deny/admission.ts')).newAlwaysDeny,
  },
};

/** The plugins that are on, in their order. @param enable and @param disable names that are known */
export function enabledPlugins(enable: readonly string[] = [], disable: readonly string[] = []): string[] {
  return Object.keys(knownPlugins).filter((name) => enable.includes(name) || (knownPlugins[name].isDefault && !disable.includes(name)));
}
