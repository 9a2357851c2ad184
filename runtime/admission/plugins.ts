import type { PluginFactory } from './plugin.ts';

interface KnownPlugin {
  readonly default: boolean;
  load(): Promise<PluginFactory>;
}

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
    load: async () => (await import('./plugins/namespace-lifecycle/admission.ts')).newNamespaceLifecycle,
  },
  NamespaceExists: {
    default: false,
    load: async () => (await import('./plugins/namespace-exists/admission.ts')).newNamespaceExists,
  },
  LimitRanger: {
    default: true,
    load: async () => (await import('./plugins/limit-ranger/admission.ts')).newLimitRanger,
  },
  OwnerReferencesPermissionEnforcement: {
    default: false,
    load: async () =>
      (await import('./plugins/owner-references-permission-enforcement/admission.ts'))
        .newOwnerReferencesPermissionEnforcement,
  },
  CertificateApproval: {
    default: true,
    load: async () => (await import('./plugins/certificates/certificate-requests.ts')).newCertificateApproval,
  },
  CertificateSigning: {
    default: true,
    load: async () => (await import('./plugins/certificates/certificate-requests.ts')).newCertificateSigning,
  },
  ClusterTrustBundleAttest: {
    default: true,
    load: async () => (await import('./plugins/certificates/cluster-trust-bundles.ts')).newClusterTrustBundleAttest,
  },
  CertificateSubjectRestriction: {
    default: true,
    load: async () => (await import('./plugins/certificates/certificate-requests.ts')).newCertificateSubjectRestriction,
  },
  MutatingAdmissionWebhook: {
    default: true,
    load: async () => (await import('./plugins/mutating-webhook/admission.ts')).newMutatingWebhook,
  },
  ValidatingAdmissionPolicy: {
    default: true,
    load: async () => (await import('./plugins/validating-admission-policy/admission.ts')).newValidatingAdmissionPolicy,
  },
  ValidatingAdmissionWebhook: {
    default: true,
    load: async () => (await import('./plugins/validating-webhook/admission.ts')).newValidatingWebhook,
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
