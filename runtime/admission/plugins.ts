import { once } from '../machinery/event-loop/once.ts';
import type { Demand } from './on-demand.ts';
import type { PluginFactory } from './plugin.ts';

interface KnownPlugin {
  /** Whether the plugin is on by default. */
  readonly isDefault?: boolean;
  /** The plugin does nothing until this demand exists. Absent for plugins that always take part. */
  readonly demand?: Demand;
  load(): Promise<PluginFactory>;
}

const registration = { group: 'admissionregistration.k8s.io' };

/** Imports the module with the plugins that every server loads. */
const defaultOn = once(() => import('./plugins/default-on.ts'));

const onByDefault = (factory: keyof typeof import('./plugins/default-on.ts')): KnownPlugin => ({
  isDefault: true,
  load: async () => (await defaultOn())[factory],
});

/**
 * All plugins, in the order of their calls. (kubeapiserver/options/plugins.go AllOrderedPlugins,
 * DefaultOffAdmissionPlugins)
 */
export const knownPlugins: Readonly<Record<string, KnownPlugin>> = {
  AlwaysAdmit: {
    load: async () => (await import('./plugins/always-admit.ts')).newAlwaysAdmit,
  },
  NamespaceAutoProvision: {
    load: async () => (await import('./plugins/namespace-auto-provision.ts')).newNamespaceAutoProvision,
  },
  NamespaceLifecycle: onByDefault('newNamespaceLifecycle'),
  NamespaceExists: {
    load: async () => (await import('./plugins/namespace-exists.ts')).newNamespaceExists,
  },
  LimitPodHardAntiAffinityTopology: {
    load: async () => (await import('./plugins/limit-pod-hard-anti-affinity-topology.ts')).newLimitPodHardAntiAffinityTopology,
  },
  LimitRanger: onByDefault('newLimitRanger'),
  ServiceAccount: onByDefault('newServiceAccount'),
  NodeRestriction: {
    load: async () => (await import('./plugins/node-restriction/node-restriction.ts')).newNodeRestriction,
  },
  TaintNodesByCondition: onByDefault('newTaintNodesByCondition'),
  AlwaysPullImages: {
    load: async () => (await import('./plugins/always-pull-images.ts')).newAlwaysPullImages,
  },
  ImagePolicyWebhook: {
    load: async () => (await import('./plugins/image-policy-webhook/image-policy-webhook.ts')).newImagePolicyWebhook,
  },
  PodSecurity: onByDefault('newPodSecurity'),
  PodNodeSelector: {
    load: async () => (await import('./plugins/pod-node-selector/pod-node-selector.ts')).newPodNodeSelector,
  },
  Priority: onByDefault('newPriority'),
  DefaultTolerationSeconds: onByDefault('newDefaultTolerationSeconds'),
  PodTolerationRestriction: {
    load: async () => (await import('./plugins/pod-toleration-restriction/pod-toleration-restriction.ts')).newPodTolerationRestriction,
  },
  EventRateLimit: {
    load: async () => (await import('./plugins/event-rate-limit/event-rate-limit.ts')).newEventRateLimit,
  },
  ExtendedResourceToleration: {
    load: async () => (await import('./plugins/extended-resource-toleration.ts')).newExtendedResourceToleration,
  },
  DefaultStorageClass: onByDefault('newDefaultStorageClass'),
  StorageObjectInUseProtection: onByDefault('newStorageObjectInUseProtection'),
  OwnerReferencesPermissionEnforcement: {
    load: async () => (await import('./plugins/owner-references-permission-enforcement.ts')).newOwnerReferencesPermissionEnforcement,
  },
  PersistentVolumeClaimResize: onByDefault('newPersistentVolumeClaimResize'),
  RuntimeClass: onByDefault('newRuntimeClass'),
  CertificateApproval: onByDefault('newCertificateApproval'),
  CertificateSigning: onByDefault('newCertificateSigning'),
  ClusterTrustBundleAttest: onByDefault('newClusterTrustBundleAttest'),
  CertificateSubjectRestriction: onByDefault('newCertificateSubjectRestriction'),
  DefaultIngressClass: onByDefault('newDefaultIngressClass'),
  DenyServiceExternalIPs: {
    load: async () => (await import('./plugins/deny-service-external-ips.ts')).newDenyServiceExternalIPs,
  },
  PodTopologyLabels: onByDefault('newPodTopologyLabels'),
  MutatingAdmissionPolicy: {
    isDefault: true,
    demand: { objects: { ...registration, version: 'v1beta1', resource: 'mutatingadmissionpolicies' }, step: 'admit' },
    load: async () => (await import('./plugins/mutating-admission-policy/mutating-admission-policy.ts')).newMutatingAdmissionPolicy,
  },
  MutatingAdmissionWebhook: {
    isDefault: true,
    demand: { objects: { ...registration, version: 'v1', resource: 'mutatingwebhookconfigurations' }, step: 'admit' },
    load: async () => (await import('./plugins/mutating-webhook/mutating-webhook.ts')).newMutatingWebhook,
  },
  ValidatingAdmissionPolicy: {
    isDefault: true,
    demand: { objects: { ...registration, version: 'v1', resource: 'validatingadmissionpolicies' }, step: 'validate' },
    load: async () => (await import('./plugins/validating-admission-policy/validating-admission-policy.ts')).newValidatingAdmissionPolicy,
  },
  ValidatingAdmissionWebhook: {
    isDefault: true,
    demand: {
      objects: { ...registration, version: 'v1', resource: 'validatingwebhookconfigurations' },
      step: 'validate',
    },
    load: async () => (await import('./plugins/validating-webhook.ts')).newValidatingWebhook,
  },
  ResourceQuota: onByDefault('newResourceQuota'),
  AlwaysDeny: {
    load: async () => (await import('./plugins/always-deny.ts')).newAlwaysDeny,
  },
};

/** Returns the enabled plugins, in order. @param enable and @param disable known names */
export function enabledPlugins(enable: readonly string[] = [], disable: readonly string[] = []): string[] {
  return Object.entries(knownPlugins).flatMap(([name, { isDefault }]) =>
    enable.includes(name) || (isDefault && !disable.includes(name)) ? [name] : [],
  );
}
