// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
export type Any = any;

/** A kind with a conformance test of its verbs. */
export interface OperationsOf {
  /** The name of upstream's test. */
  readonly title: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly clusterWide?: true;
  /** A valid object without apiVersion, kind and name. The namespace `NAMESPACE` is replaced. */
  readonly body: Any;
  /** Name of the n-th object. Default: `ops-0` and so on. */
  readonly name?: (n: number) => string;
  /** A merge patch of fields beyond metadata, if any may change. */
  readonly patch?: Any;
  /** A valid status, if the subresource exists. */
  readonly status?: Any;
}

const template = {
  metadata: { labels: { app: 'ops' } },
  spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'i' }] },
};
const policySpec = {
  matchConstraints: {
    resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] }],
  },
};
const mutation = {
  failurePolicy: 'Ignore',
  reinvocationPolicy: 'Never',
  mutations: [
    {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
    },
  ],
};
const webhook = {
  name: 'ops.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  matchConditions: [{ name: 'skip', expression: "object.metadata.name != 'skip-me'" }],
  namespaceSelector: { matchLabels: { nobody: 'has-this' } },
};
const other = [{ ...webhook, matchConditions: [{ name: 'skip', expression: "object.metadata.name != 'skip-you'" }] }];
const condition = (type: string) => [
  { type, status: 'True', reason: 'E2E', message: 'Set from an e2e test', lastTransitionTime: '2026-01-01T00:00:00Z' },
];
/** In the order of upstream's list. */
export const kinds: readonly OperationsOf[] = [
  {
    title: 'AdmissionWebhook should be able to create and update mutating webhook configurations with match conditions',
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    resource: 'mutatingwebhookconfigurations',
    clusterWide: true,
    body: { webhooks: [webhook] },
    patch: { webhooks: other },
  },
  {
    title: 'AdmissionWebhook should be able to create and update validating webhook configurations with match conditions',
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    resource: 'validatingwebhookconfigurations',
    clusterWide: true,
    body: { webhooks: [webhook] },
    patch: { webhooks: other },
  },
  {
    title: 'MutatingAdmissionPolicy should support MutatingAdmissionPolicy API operations',
    apiVersion: 'admissionregistration.k8s.io/v1beta1',
    kind: 'MutatingAdmissionPolicy',
    resource: 'mutatingadmissionpolicies',
    clusterWide: true,
    body: { spec: { ...policySpec, ...mutation } },
    patch: { spec: { reinvocationPolicy: 'IfNeeded' } },
  },
  {
    title: 'MutatingAdmissionPolicy should support MutatingAdmissionPolicyBinding API operations',
    apiVersion: 'admissionregistration.k8s.io/v1beta1',
    kind: 'MutatingAdmissionPolicyBinding',
    resource: 'mutatingadmissionpolicybindings',
    clusterWide: true,
    body: { spec: { policyName: 'none' } },
    patch: { spec: { matchResources: { namespaceSelector: { matchLabels: { a: 'b' } } } } },
  },
  {
    title: 'ResourceQuota should manage the lifecycle of a ResourceQuota',
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    resource: 'resourcequotas',
    body: { spec: { hard: { cpu: '1', memory: '500Mi' } } },
    patch: { spec: { hard: { memory: '750Mi' } } },
  },
  {
    title: 'StorageVersionMigration CRUD Tests storagemigration.k8s.io/v1 StorageVersionMigration',
    apiVersion: 'storagemigration.k8s.io/v1beta1',
    kind: 'StorageVersionMigration',
    resource: 'storageversionmigrations',
    clusterWide: true,
    body: { spec: { resource: { group: 'apps', resource: 'deployments' } } },
    status: { resourceVersion: '1', conditions: condition('Running') },
  },
  {
    title: 'ValidatingAdmissionPolicy should support ValidatingAdmissionPolicy API operations',
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    resource: 'validatingadmissionpolicies',
    clusterWide: true,
    body: { spec: { ...policySpec, validations: [{ expression: 'object.spec.replicas <= 100' }] } },
    patch: { spec: { failurePolicy: 'Ignore' } },
    status: { observedGeneration: 1, conditions: condition('Checked') },
  },
  {
    title: 'ValidatingAdmissionPolicy should support ValidatingAdmissionPolicyBinding API operations',
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
    clusterWide: true,
    body: { spec: { policyName: 'none', validationActions: ['Deny'] } },
    patch: { spec: { validationActions: ['Audit'] } },
  },
  {
    title: '[sig-apps] CronJob should support CronJob API operations',
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    resource: 'cronjobs',
    body: { spec: { schedule: '*/1 * * * *', jobTemplate: { spec: { template } } } },
    patch: { spec: { suspend: true } },
    status: { lastScheduleTime: '2026-01-01T00:00:00Z' },
  },
  {
    title: '[sig-instrumentation] Events API should ensure that an event can be fetched, patched, deleted, and listed',
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    resource: 'events',
    body: {
      regarding: { kind: 'Pod', namespace: 'NAMESPACE', name: 'x' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/ops',
      reportingInstance: 'ops-0',
      action: 'Testing',
      reason: 'Test',
      type: 'Normal',
      note: 'one',
    },
  },
  {
    title: '[sig-network] EndpointSlice should support creating EndpointSlice API operations',
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    resource: 'endpointslices',
    body: { addressType: 'IPv4', endpoints: [{ addresses: ['1.2.3.4'] }], ports: [{ name: 'http', port: 80 }] },
    patch: { endpoints: [{ addresses: ['1.2.3.5'] }] },
  },
  {
    title: '[sig-network] Endpoints should test the lifecycle of an Endpoint',
    apiVersion: 'v1',
    kind: 'Endpoints',
    resource: 'endpoints',
    body: { subsets: [{ addresses: [{ ip: '10.0.0.24' }], ports: [{ name: 'http', port: 80 }] }] },
    patch: { subsets: [{ addresses: [{ ip: '10.0.0.25' }], ports: [{ name: 'http', port: 8080 }] }] },
  },
  {
    title: '[sig-network] Ingress API should support creating Ingress API operations',
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    resource: 'ingresses',
    body: { spec: { defaultBackend: { service: { name: 'default', port: { number: 80 } } } } },
    patch: { spec: { ingressClassName: 'other' } },
    status: { loadBalancer: { ingress: [{ ip: '169.1.1.1' }] } },
  },
  {
    title: '[sig-network] IngressClass API should support creating IngressClass API operations',
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    resource: 'ingressclasses',
    clusterWide: true,
    body: { spec: { controller: 'example.com/controller' } },
  },
  {
    title: '[sig-network] ServiceCIDR and IPAddress API should support IPAddress API operations',
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    resource: 'ipaddresses',
    clusterWide: true,
    name: (n) => `192.168.7.${n + 1}`,
    body: { spec: { parentRef: { resource: 'services', name: 'x', namespace: 'default' } } },
  },
  {
    title: '[sig-network] ServiceCIDR and IPAddress API should support ServiceCIDR API operations',
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    resource: 'servicecidrs',
    clusterWide: true,
    body: { spec: { cidrs: ['10.200.0.0/24'] } },
    status: { conditions: condition('Ready') },
  },
  {
    title: '[sig-node] ConfigMap should run through a ConfigMap lifecycle',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    resource: 'configmaps',
    body: { data: { valueName: 'value' } },
    patch: { data: { valueName: 'value1' } },
  },
  {
    title: '[sig-node] Lease lease API should be available',
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    resource: 'leases',
    body: { spec: { holderIdentity: 'holder', leaseDurationSeconds: 30, acquireTime: '2026-01-01T00:00:00.000000Z' } },
    patch: { spec: { leaseDurationSeconds: 60, leaseTransitions: 1 } },
  },
  {
    title: '[sig-node] Node Lifecycle should run through the lifecycle of a node',
    apiVersion: 'v1',
    kind: 'Node',
    resource: 'nodes',
    clusterWide: true,
    body: { spec: { unschedulable: true } },
    patch: { spec: { unschedulable: null } },
    status: { phase: 'Running' },
  },
  {
    title: '[sig-node] PodTemplates should run the lifecycle of PodTemplates',
    apiVersion: 'v1',
    kind: 'PodTemplate',
    resource: 'podtemplates',
    body: { template: { spec: { containers: [{ name: 'nginx', image: 'nginx' }] } } },
    patch: { template: { spec: { containers: [{ name: 'nginx', image: 'nginx:2' }] } } },
  },
  {
    title: '[sig-node] RuntimeClass should support RuntimeClasses API operations',
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    resource: 'runtimeclasses',
    clusterWide: true,
    body: { handler: 'handler' },
  },
  {
    title: '[sig-node] [DRA] CRUD Tests resource.k8s.io/v1 DeviceClass',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    resource: 'deviceclasses',
    clusterWide: true,
    body: { spec: { selectors: [{ cel: { expression: 'device.driver == "a"' } }] } },
  },
  {
    title: '[sig-node] [DRA] CRUD Tests resource.k8s.io/v1 ResourceClaim',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    resource: 'resourceclaims',
    body: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
  },
  {
    title: '[sig-node] [DRA] CRUD Tests resource.k8s.io/v1 ResourceClaimTemplate',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    resource: 'resourceclaimtemplates',
    body: { spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } } },
  },
  {
    title: '[sig-node] [DRA] CRUD Tests resource.k8s.io/v1 ResourceSlice',
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    resource: 'resourceslices',
    clusterWide: true,
    body: {
      spec: {
        driver: 'example.com',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd' }],
      },
    },
    patch: { spec: { devices: [{ name: 'e' }] } },
  },
  {
    title: '[sig-scheduling] LimitRange should list, patch and delete a LimitRange by collection',
    apiVersion: 'v1',
    kind: 'LimitRange',
    resource: 'limitranges',
    body: { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '50m' } }] } },
    patch: { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '50m' } }] } },
  },
  {
    title: '[sig-storage] CSIInlineVolumes should run through the lifecycle of a CSIDriver',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    resource: 'csidrivers',
    clusterWide: true,
    body: { spec: { volumeLifecycleModes: ['Ephemeral'] } },
  },
  {
    title: '[sig-storage] CSINodes CSI Conformance should run through the lifecycle of a csinode',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    resource: 'csinodes',
    clusterWide: true,
    body: { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', topologyKeys: ['k'] }] } },
  },
  {
    title: '[sig-storage] CSIStorageCapacity should support CSIStorageCapacities API operations',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    resource: 'csistoragecapacities',
    body: { storageClassName: 'standard', capacity: '1Gi', nodeTopology: { matchLabels: { a: 'b' } } },
    patch: { capacity: '2Gi' },
  },
  {
    title: '[sig-storage] StorageClasses CSI Conformance should run through the lifecycle of a StorageClass',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    resource: 'storageclasses',
    clusterWide: true,
    body: { provisioner: 'e2e-fake-provisioner' },
    patch: { allowVolumeExpansion: true },
  },
  {
    title: '[sig-storage] VolumeAttachment Conformance should run through the lifecycle of a VolumeAttachment',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    clusterWide: true,
    body: { spec: { attacher: 'e2e', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
    status: { attached: true },
  },
  {
    title: '[sig-storage] VolumeAttributesClass should run through the lifecycle of a VolumeAttributesClass',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttributesClass',
    resource: 'volumeattributesclasses',
    clusterWide: true,
    body: { driverName: 'e2e-fake-csi-driver', parameters: { a: 'b' } },
  },
];
