import type { FeatureName } from './known-gates.ts';

/** The gates with an effect in this server, and their effects. */
export const gatesInUse = {
  AggregatedDiscoveryRemoveBetaType: 'aggregated discovery has no v2beta1',
  AllowParsingUserUIDFromCertAuth: 'the subject of a client certificate may have the uid of the user',
  AllowUnsafeMalformedObjectDeletion: 'objects whose stored bytes cannot be decoded can be deleted',
  APIResponseCompression: 'large responses are compressed for clients that accept gzip',
  APIServerIdentity: 'a Lease says which process serves the cluster',
  CBORServingAndStorage: 'requests and responses can be CBOR',
  ClusterTrustBundle: 'ClusterTrustBundles are served',
  ComponentFlagz: '/flagz has the command-line flags',
  ComponentStatusz: '/statusz describes the process',
  ConstrainedImpersonation: 'there are verbs that allow to impersonate some users for some requests',
  GenericWorkload: 'Workloads are served',
  KubeletServiceAccountTokenForCredentialProviders: 'nodes may get the service accounts of their pods',
  MaxUnavailableStatefulSet: 'a rolling update of a StatefulSet may replace several pods at once',
  PodCertificateRequest: 'PodCertificateRequests are served',
  StorageVersionMigrator: 'StorageVersionMigrations are served',
  UnauthenticatedHTTP2DOSMitigation: 'an HTTP/2 connection without credentials is ended after one request',
} as const satisfies Partial<Readonly<Record<FeatureName, string>>>;
