import type { FeatureName } from '../machinery/feature-gates/known-gates.ts';
import type { FieldPaths } from './disabled-fields.ts';
import type { KindFeatures } from './features.ts';

/** Fields by the gate that enables them. */
type GatedFields = Partial<Readonly<Record<FeatureName, FieldPaths>>>;
type GatedField = readonly [gate: FeatureName, paths: FieldPaths];

const at = (prefixes: readonly string[], ...names: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => names.map((name) => `${prefix}.${name}`));

const containers = ['containers[]', 'initContainers[]', 'ephemeralContainers[]'];

/** Fields of a pod's spec. (pkg/api/pod/util.go) */
const ofPods: GatedFields = {
  ClusterTrustBundleProjection: ['volumes[].projected.sources[].clusterTrustBundle'],
  ContainerRestartRules: ['containers[].restartPolicy', ...at(containers, 'restartPolicyRules')],
  DynamicResourceAllocation: ['resourceClaims', ...at(containers, 'resources.claims')],
  EnvFiles: at(containers, 'env[].valueFrom.fileKeyRef'),
  GenericWorkload: ['workloadRef'],
  HostnameOverride: ['hostnameOverride'],
  ImageVolume: ['volumes[].image'],
  InPlacePodVerticalScaling: at(containers, 'resizePolicy'),
  PodCertificateRequest: ['volumes[].projected.sources[].podCertificate'],
  PodLevelResources: ['resources'],
  SELinuxChangePolicy: ['securityContext.seLinuxChangePolicy'],
  SupplementalGroupsPolicy: ['securityContext.supplementalGroupsPolicy'],
  UserNamespacesSupport: ['hostUsers'],
};

/** The requests of claims, with their exact form and their alternatives. */
const requests = ['', '.exactly', '.firstAvailable[]'].map((part) => `devices.requests[]${part}`);

/** Fields of a device claim's spec. (pkg/api/resourceclaimspec/util.go) */
const ofClaims: GatedFields = {
  DRAAdminAccess: at(requests, 'adminAccess'),
  DRAConsumableCapacity: at(requests, 'capacity'),
  DRAPrioritizedList: ['devices.requests[].firstAvailable'],
};

/** Fields of a device claim's spec that releases before v1.35 keep though their gate is off. */
const ofNewerClaims: GatedFields = {
  ...ofClaims,
  DRAConsumableCapacity: [...at(requests, 'capacity'), 'devices.constraints[].distinctAttribute'],
  DRADeviceTaints: at(requests, 'tolerations'),
};

/** (pkg/registry/resource/resourceclaim) */
const ofClaimStatuses: GatedFields = {
  DRAConsumableCapacity: [...at(['status.allocation.devices.results[]'], 'shareID', 'consumedCapacity'), 'status.devices[].shareID'],
  DRADeviceBindingConditions: at(['status.allocation.devices.results[]'], 'bindingConditions', 'bindingFailureConditions'),
  DRAResourceClaimDeviceStatus: ['status.devices'],
};

/** At v1beta1, the fields of a device are in `basic`. */
const devices = ['spec.devices[]', 'spec.devices[].basic'];

/** (pkg/registry/resource/resourceslice) */
const ofSlices: GatedFields = {
  DRAConsumableCapacity: at(devices, 'allowMultipleAllocations', 'capacity[].requestPolicy'),
  DRADeviceBindingConditions: at(devices, 'bindingConditions', 'bindingFailureConditions', 'bindsToNode'),
  DRADeviceTaints: at(devices, 'taints'),
  DRAPartitionableDevices: [
    ...at(['spec'], 'sharedCounters', 'perDeviceNodeSelection'),
    ...at(devices, 'consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'),
  ],
};

const terminatingReplicas: GatedFields = {
  DeploymentReplicaSetTerminatingReplicas: ['status.terminatingReplicas'],
};

const volumeAttributesClass: GatedFields = {
  VolumeAttributesClass: ['spec.volumeAttributesClassName'],
};

const entriesOf = (table: GatedFields): GatedField[] => Object.entries(table) as [FeatureName, FieldPaths][];

/** Returns the fields of a table, below `prefix`. */
const below = (prefix: string, table: GatedFields): GatedField[] => entriesOf(table).map(([gate, paths]) => [gate, at([prefix], ...paths)]);

/** The gated fields by "group/plural". */
const gatedFields: Readonly<Record<string, readonly GatedField[]>> = {
  '/persistentvolumeclaims': entriesOf(volumeAttributesClass),
  '/persistentvolumes': entriesOf(volumeAttributesClass),
  '/pods': below('spec', ofPods),
  '/podtemplates': below('template.spec', ofPods),
  '/replicationcontrollers': below('spec.template.spec', ofPods),
  'apps/daemonsets': below('spec.template.spec', ofPods),
  'apps/deployments': [...below('spec.template.spec', ofPods), ...entriesOf(terminatingReplicas)],
  'apps/replicasets': [...below('spec.template.spec', ofPods), ...entriesOf(terminatingReplicas)],
  'apps/statefulsets': below('spec.template.spec', ofPods),
  'autoscaling/horizontalpodautoscalers': [
    ['HPAConfigurableTolerance', ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance']],
  ],
  'batch/cronjobs': below('spec.jobTemplate.spec.template.spec', ofPods),
  'batch/jobs': below('spec.template.spec', ofPods),
  'resource.k8s.io/deviceclasses': [['DRAExtendedResource', ['spec.extendedResourceName']]],
  'resource.k8s.io/resourceclaims': [...below('spec', ofNewerClaims), ...entriesOf(ofClaimStatuses)],
  'resource.k8s.io/resourceclaimtemplates': below('spec.spec', ofNewerClaims),
  'resource.k8s.io/resourceslices': entriesOf(ofSlices),
  'storage.k8s.io/volumeattachments': [
    ['MutableCSINodeAllocatableCount', ['status.attachError.errorCode', 'status.detachError.errorCode']],
  ],
  'storage.k8s.io/csidrivers': [['MutableCSINodeAllocatableCount', ['spec.nodeAllocatableUpdatePeriodSeconds']]],
};

/** The gated fields of kinds in the minors before one. */
const formerFields: readonly { readonly before: number; readonly fields: Readonly<Record<string, readonly GatedField[]>> }[] = [
  {
    before: 35,
    fields: {
      'resource.k8s.io/resourceclaims': [...below('spec', ofClaims), ...entriesOf(ofClaimStatuses)],
      'resource.k8s.io/resourceclaimtemplates': below('spec.spec', ofClaims),
    },
  },
];

/** Returns the kinds with fields of disabled gates, and these fields by gate. */
export function disabledFields(features: KindFeatures, minor: number): readonly (readonly [key: string, gates: readonly FieldPaths[]])[] {
  const former = formerFields.filter(({ before }) => minor < before).map(({ fields }) => fields);
  const all: Readonly<Record<string, readonly GatedField[]>> = Object.assign({}, gatedFields, ...former);
  return Object.entries(all).flatMap(([key, fields]) => {
    const gates = fields.filter(([gate]) => !features[gate]).map(([, paths]) => paths);
    return gates.length === 0 ? [] : [[key, gates] as const];
  });
}
