/**
 * The resources of Kubernetes whose keys began with `/registry/<group, or core>/<plural>/` in format 2, where this is not what
 * they begin with now, by group.
 */
const builtinResources: Readonly<Record<string, string>> = {
  core:
    'configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims persistentvolumes pods podtemplates ' +
    'replicationcontrollers resourcequotas secrets serviceaccounts services',
  apps: 'controllerrevisions daemonsets deployments replicasets statefulsets',
  autoscaling: 'horizontalpodautoscalers',
  batch: 'cronjobs jobs',
  policy: 'poddisruptionbudgets',
  'admissionregistration.k8s.io':
    'mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings ' +
    'validatingwebhookconfigurations mutatingadmissionpolicies mutatingadmissionpolicybindings',
  'certificates.k8s.io': 'certificatesigningrequests clustertrustbundles podcertificaterequests',
  'coordination.k8s.io': 'leases leasecandidates',
  'discovery.k8s.io': 'endpointslices',
  'flowcontrol.apiserver.k8s.io': 'flowschemas prioritylevelconfigurations',
  'internal.apiserver.k8s.io': 'storageversions',
  'networking.k8s.io': 'ingressclasses ingresses ipaddresses networkpolicies servicecidrs',
  'node.k8s.io': 'runtimeclasses',
  'rbac.authorization.k8s.io': 'clusterrolebindings clusterroles rolebindings roles',
  'resource.k8s.io': 'deviceclasses resourceclaims resourceclaimtemplates resourceslices devicetaintrules',
  'scheduling.k8s.io': 'priorityclasses workloads',
  'storage.k8s.io': 'csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattributesclasses',
  'storagemigration.k8s.io': 'storageversionmigrations',
};

/** The resources that do not lie below their plural. */
const specialPrefixes: Readonly<Record<string, string>> = {
  replicationcontrollers: 'controllers',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  ingresses: 'ingress',
};

const prefixes: ReadonlyMap<string, string> = new Map(
  Object.entries(builtinResources).flatMap(([group, plurals]) =>
    plurals.split(' ').map((plural) => [`${group}/${plural}`, specialPrefixes[plural] ?? plural] as const),
  ),
);

/**
 * The key of an object in format 3, by that in format 2: `/registry/core/services/ns/a` became `/registry/services/specs/ns/a`.
 * Those of custom resources, and of API groups of one's own, are the same.
 */
export function upgradedKey(key: string): string {
  const parts = /^\/registry\/([^/]+\/[^/]+)\/(.+)$/s.exec(key);
  const prefix = parts === null ? undefined : prefixes.get(parts[1]);
  return parts === null || prefix === undefined ? key : `/registry/${prefix}/${parts[2]}`;
}

const formerAttributesClass = Buffer.from('{"kind":"VolumeAttributesClass","apiVersion":"storage.k8s.io/v1",');
const attributesClass = Buffer.from('{"kind":"VolumeAttributesClass","apiVersion":"storage.k8s.io/v1beta1",');

/**
 * The value of an object in format 3, by that in format 2: the kinds whose storage version changed. What a value was encrypted
 * with may be its former key; whoever decrypts values knows that.
 */
export function upgradedValue(key: string, value: Uint8Array): Uint8Array {
  if (!key.startsWith('/registry/volumeattributesclasses/')) return value;
  const { length } = formerAttributesClass;
  if (!formerAttributesClass.equals(value.subarray(0, length))) return value;
  return Buffer.concat([attributesClass, value.subarray(length)]);
}
