import type { ServerOptions } from '../../runtime/index.ts';

/** Options for a server with all versions of all kinds. */
export const everyVersion = {
  featureGates: ['ClusterTrustBundle', 'GenericWorkload', 'PodCertificateRequest', 'StorageVersionMigrator'].map((gate) => `${gate}=true`),
  runtimeConfig: ['api/all=true'],
} as const satisfies ServerOptions;
