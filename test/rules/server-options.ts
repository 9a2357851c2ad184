import type { ServerOptions } from '../../runtime/index.ts';

/** Of a server that is asked about rules. */
export const ruleServerOptions: ServerOptions = {
  // admission refuses, defaults and warns too
  disableAdmissionPlugins: [
    'LimitRanger',
    'Priority',
    'DefaultTolerationSeconds',
    'PodSecurity',
    'TaintNodesByCondition',
    'RuntimeClass',
    'PersistentVolumeClaimResize',
    'StorageObjectInUseProtection',
  ],
  featureGates: ['ClusterTrustBundle', 'GenericWorkload', 'PodCertificateRequest', 'StorageVersionMigrator'].map(
    (gate) => `${gate}=true`,
  ),
  runtimeConfig: ['api/all=true'],
  serviceClusterIpRange: '10.96.0.0/12,fd00:10:96::/112',
};
