/** The smallest valid object of a kind, without its name. */
export type LeastObject = Record<string, unknown>;

const containers = [{ name: 'c', image: 'i' }];
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers } };
const workload: LeastObject = { spec: { selector: { matchLabels: labels }, template } };
const jobSpec = { template: { spec: { restartPolicy: 'Never', containers } } };
const storage = '1Gi';
const accessModes = ['ReadWriteOnce'];
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] };
const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
const schema = { openAPIV3Schema: { type: 'object' } };

/** The objects by version and resource: `v1 configmaps`. */
export const leastObjects: Readonly<Record<string, LeastObject & { metadata?: { name: string } }>> = {
  'v1 configmaps': {},
  'v1 endpoints': {},
  'v1 events': { involvedObject: { namespace: 'default' } },
  'v1 limitranges': { spec: { limits: [] } },
  'v1 namespaces': {},
  'v1 nodes': {},
  'v1 persistentvolumeclaims': { spec: { accessModes, resources: { requests: { storage } } } },
  'v1 persistentvolumes': { spec: { capacity: { storage }, accessModes, hostPath: { path: '/tmp' } } },
  'v1 pods': { spec: { containers } },
  'v1 podtemplates': { template },
  'v1 replicationcontrollers': { spec: { selector: labels, template } },
  'v1 resourcequotas': {},
  'v1 secrets': {},
  'v1 serviceaccounts': {},
  'v1 services': { spec: { ports: [{ port: 80 }] } },
  'apps/v1 controllerrevisions': { revision: 1, data: {} },
  'apps/v1 daemonsets': workload,
  'apps/v1 deployments': workload,
  'apps/v1 replicasets': workload,
  'apps/v1 statefulsets': workload,
  'events.k8s.io/v1 events': {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Normal',
    regarding: { namespace: 'default' },
  },
  'autoscaling/v1 horizontalpodautoscalers': { spec: { maxReplicas: 1, scaleTargetRef } },
  'autoscaling/v2 horizontalpodautoscalers': { spec: { maxReplicas: 1, scaleTargetRef } },
  'batch/v1 cronjobs': { spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec } } },
  'batch/v1 jobs': { spec: jobSpec },
  'networking.k8s.io/v1 ingressclasses': { spec: { controller: 'example.com/c' } },
  'networking.k8s.io/v1 ingresses': { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  'networking.k8s.io/v1 ipaddresses': {
    metadata: { name: '192.0.2.1' },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 's' } },
  },
  'networking.k8s.io/v1 networkpolicies': { spec: { podSelector: {} } },
  'networking.k8s.io/v1 servicecidrs': { spec: { cidrs: ['192.0.2.0/24'] } },
  'policy/v1 poddisruptionbudgets': {},
  'rbac.authorization.k8s.io/v1 clusterrolebindings': { roleRef },
  'rbac.authorization.k8s.io/v1 clusterroles': {},
  'rbac.authorization.k8s.io/v1 rolebindings': { roleRef },
  'rbac.authorization.k8s.io/v1 roles': {},
  'storage.k8s.io/v1 csidrivers': { spec: {} },
  'storage.k8s.io/v1 csinodes': { spec: { drivers: [] } },
  'storage.k8s.io/v1 csistoragecapacities': { storageClassName: 's' },
  'storage.k8s.io/v1 storageclasses': { provisioner: 'p' },
  'storage.k8s.io/v1 volumeattachments': {
    spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
  },
  'storage.k8s.io/v1 volumeattributesclasses': { driverName: 'd.example.com', parameters: { a: 'b' } },
  'admissionregistration.k8s.io/v1 mutatingwebhookconfigurations': {},
  'admissionregistration.k8s.io/v1 validatingwebhookconfigurations': {},
  'admissionregistration.k8s.io/v1 validatingadmissionpolicies': {
    spec: { matchConstraints: { resourceRules: [everything] }, validations: [{ expression: 'true' }] },
  },
  'admissionregistration.k8s.io/v1 validatingadmissionpolicybindings': {
    spec: { policyName: 'none', validationActions: ['Audit'] },
  },
  'apiextensions.k8s.io/v1 customresourcedefinitions': {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  },
  'scheduling.k8s.io/v1 priorityclasses': { value: 1 },
  'coordination.k8s.io/v1 leases': {},
  'node.k8s.io/v1 runtimeclasses': { handler: 'h' },
  'discovery.k8s.io/v1 endpointslices': { addressType: 'IPv4', endpoints: [] },
  'flowcontrol.apiserver.k8s.io/v1 flowschemas': {
    spec: { matchingPrecedence: 2, priorityLevelConfiguration: { name: 'none' } },
  },
  'flowcontrol.apiserver.k8s.io/v1 prioritylevelconfigurations': {
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  },
  'resource.k8s.io/v1 deviceclasses': { spec: {} },
  'resource.k8s.io/v1 resourceclaims': { spec: {} },
  'resource.k8s.io/v1 resourceclaimtemplates': { spec: { spec: {} } },
  'resource.k8s.io/v1 resourceslices': {
    spec: { driver: 'd.example.com', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 } },
  },
};
