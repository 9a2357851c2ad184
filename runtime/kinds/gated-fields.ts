import type { FieldPaths } from './disabled-fields.ts';

/** Fields behind a gate that is off by default in some releases, from one minor to another. */
interface GatedFields {
  readonly off: readonly [first: number, last: number];
  readonly paths: FieldPaths;
}

const at = (prefixes: readonly string[], ...names: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => names.map((name) => `${prefix}.${name}`));

const containers = ['containers[]', 'initContainers[]', 'ephemeralContainers[]'];

/** Below the spec of a pod. What is off in every release is in core/pod/disabled-fields. (pkg/api/pod/util.go) */
const ofPods: Readonly<Record<string, GatedFields>> = {
  ContainerRestartRules: {
    off: [34, 34],
    paths: ['containers[].restartPolicy', ...at(containers, 'restartPolicyRules')],
  },
  DynamicResourceAllocation: { off: [32, 33], paths: ['resourceClaims', ...at(containers, 'resources.claims')] },
  EnvFiles: { off: [34, 34], paths: at(containers, 'env[].valueFrom.fileKeyRef') },
  HostnameOverride: { off: [34, 34], paths: ['hostnameOverride'] },
  ImageVolume: { off: [32, 34], paths: ['volumes[].image'] },
  InPlacePodVerticalScaling: { off: [32, 32], paths: at(containers, 'resizePolicy') },
  PodLevelResources: { off: [32, 33], paths: ['resources'] },
  SELinuxChangePolicy: { off: [32, 32], paths: ['securityContext.seLinuxChangePolicy'] },
  SupplementalGroupsPolicy: { off: [32, 32], paths: ['securityContext.supplementalGroupsPolicy'] },
  UserNamespacesSupport: { off: [32, 32], paths: ['hostUsers'] },
};

/** Requests of claims, what they are exactly, and their alternatives. */
const requests = ['', '.exactly', '.firstAvailable[]'].map((part) => `devices.requests[]${part}`);

/** Below the spec of a claim for devices. (pkg/api/resourceclaimspec/util.go) */
const ofClaims: Readonly<Record<string, GatedFields>> = {
  DRAAdminAccess: { off: [32, 33], paths: at(requests, 'adminAccess') },
  DRAConsumableCapacity: {
    off: [34, 35],
    paths: [...at(requests, 'capacity'), 'devices.constraints[].distinctAttribute'],
  },
  DRADeviceTaints: { off: [33, 35], paths: at(requests, 'tolerations') },
  DRAPrioritizedList: { off: [33, 33], paths: ['devices.requests[].firstAvailable'] },
};

/** (pkg/registry/resource/resourceclaim) */
const ofClaimStatuses: Readonly<Record<string, GatedFields>> = {
  DRAConsumableCapacity: {
    off: [34, 35],
    paths: [...at(['status.allocation.devices.results[]'], 'shareID', 'consumedCapacity'), 'status.devices[].shareID'],
  },
  DRADeviceBindingConditions: {
    off: [34, 35],
    paths: at(['status.allocation.devices.results[]'], 'bindingConditions', 'bindingFailureConditions'),
  },
  DRAResourceClaimDeviceStatus: { off: [32, 32], paths: ['status.devices'] },
};

/** At v1beta1, the fields of a device are in `basic`. */
const devices = ['spec.devices[]', 'spec.devices[].basic'];

/** (pkg/registry/resource/resourceslice) */
const ofSlices: Readonly<Record<string, GatedFields>> = {
  DRAConsumableCapacity: {
    off: [34, 35],
    paths: at(devices, 'allowMultipleAllocations', 'capacity[].requestPolicy'),
  },
  DRADeviceBindingConditions: {
    off: [34, 35],
    paths: at(devices, 'bindingConditions', 'bindingFailureConditions', 'bindsToNode'),
  },
  DRADeviceTaints: { off: [33, 35], paths: at(devices, 'taints') },
  DRAPartitionableDevices: {
    off: [33, 35],
    paths: [
      ...at(['spec'], 'sharedCounters', 'perDeviceNodeSelection'),
      ...at(devices, 'consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'),
    ],
  },
};

const terminatingReplicas: Readonly<Record<string, GatedFields>> = {
  DeploymentReplicaSetTerminatingReplicas: { off: [33, 34], paths: ['status.terminatingReplicas'] },
};

const volumeAttributesClass: Readonly<Record<string, GatedFields>> = {
  VolumeAttributesClass: { off: [32, 33], paths: ['spec.volumeAttributesClassName'] },
};

/** Fields of a table, below `prefix`. */
const below = (prefix: string, table: Readonly<Record<string, GatedFields>>): GatedFields[] =>
  Object.values(table).map(({ off, paths }) => ({ off, paths: at([prefix], ...paths) }));

/** By "group/plural". The minors are those of pkg/features/kube_features.go. */
const gatedFields: Readonly<Record<string, readonly GatedFields[]>> = {
  '/persistentvolumeclaims': Object.values(volumeAttributesClass),
  '/persistentvolumes': Object.values(volumeAttributesClass),
  '/pods': below('spec', ofPods),
  '/podtemplates': below('template.spec', ofPods),
  '/replicationcontrollers': below('spec.template.spec', ofPods),
  'apps/daemonsets': below('spec.template.spec', ofPods),
  'apps/deployments': [...below('spec.template.spec', ofPods), ...Object.values(terminatingReplicas)],
  'apps/replicasets': [...below('spec.template.spec', ofPods), ...Object.values(terminatingReplicas)],
  'apps/statefulsets': below('spec.template.spec', ofPods),
  'autoscaling/horizontalpodautoscalers': [
    { off: [33, 34], paths: ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance'] },
  ],
  'batch/cronjobs': below('spec.jobTemplate.spec.template.spec', ofPods),
  'batch/jobs': below('spec.template.spec', ofPods),
  'resource.k8s.io/deviceclasses': [{ off: [34, 35], paths: ['spec.extendedResourceName'] }],
  'resource.k8s.io/resourceclaims': [...below('spec', ofClaims), ...Object.values(ofClaimStatuses)],
  'resource.k8s.io/resourceclaimtemplates': below('spec.spec', ofClaims),
  'resource.k8s.io/resourceslices': Object.values(ofSlices),
  'storage.k8s.io/csidrivers': [{ off: [33, 34], paths: ['spec.nodeAllocatableUpdatePeriodSeconds'] }],
};

/** The kinds of a release that have fields behind gates that are off, and these fields by gate. */
export function disabledFields(minor: number): readonly (readonly [key: string, gates: readonly FieldPaths[]])[] {
  return Object.entries(gatedFields).flatMap(([key, fields]) => {
    const gates = fields.filter(({ off: [first, last] }) => first <= minor && minor <= last).map(({ paths }) => paths);
    return gates.length === 0 ? [] : [[key, gates] as const];
  });
}
