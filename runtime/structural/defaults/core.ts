import { Buffer } from 'node:buffer';
import type { Part } from '../../machinery/object.ts';
import { imageTag } from './image-reference.ts';
import { addMissing } from './quantities.ts';

const pullPolicy = (image: unknown): string => (imageTag(String(image ?? '')) === 'latest' ? 'Always' : 'IfNotPresent');

/** (SetDefaults_Container) `latest` is pulled always, everything else when it is not there. */
export function setContainerPullPolicy(container: Part): void {
  if (!container.imagePullPolicy) container.imagePullPolicy = pullPolicy(container.image);
}

/** (SetDefaults_Volume) A volume without a source is an empty directory. */
export function setVolumeSource(volume: Part): void {
  if (!Object.keys(volume).some((key) => key !== 'name' && volume[key] !== undefined)) volume.emptyDir = {};
  if (volume.image && !volume.image.pullPolicy) volume.image.pullPolicy = pullPolicy(volume.image.reference);
}

/** (SetDefaults_Pod) Requests default to limits; for pods, not for templates of pods. */
export function setPodRequests(pod: Part): void {
  for (const container of [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]) {
    const limits = container.resources?.limits;
    if (!limits || Object.keys(limits).length === 0) continue;
    const requests = { ...container.resources.requests };
    addMissing(requests, limits);
    container.resources.requests = requests;
  }
}

export function setPodServiceLinks(pod: Part): void {
  if (pod.spec && pod.spec.enableServiceLinks === undefined) pod.spec.enableServiceLinks = true;
}

/** (defaultHostNetworkPorts) On the host's network a container's port is the host's port. */
export function setHostNetworkPorts(pod: Part): void {
  if (!pod.spec?.hostNetwork) return;
  for (const container of [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])]) {
    for (const port of container.ports ?? []) if (!port.hostPort) port.hostPort = port.containerPort;
  }
}

/** Two names for one field: the old one always says what the new one says. (pkg/apis/core/v1/conversion.go, PodSpec) */
export function setServiceAccountAlias(spec: Part): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/**
 * The first of a pod's addresses is its address. Where they differ the single one counts: older clients know no other.
 * (pkg/apis/core/v1/conversion.go, PodStatus)
 */
export function setPodAddresses(status: Part): void {
  const first = status.podIPs?.[0]?.ip ?? '';
  if (status.podIP) {
    if (status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  } else if (first !== '') status.podIP = first;
  else delete status.podIP;
}

/** The first of a node's ranges is its range; as with addresses, the single one counts. (as above, NodeSpec) */
export function setNodePodCIDRs(spec: Part): void {
  const [first] = spec.podCIDRs ?? [];
  if (!spec.podCIDR) {
    if (first !== undefined) spec.podCIDR = first;
  } else if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
}

/** What is written as text is kept as data and never read back. (pkg/apis/core/v1/conversion.go, Secret) */
export function mergeStringData(secret: Part): void {
  const text = secret.stringData;
  if (text === undefined) return;
  delete secret.stringData;
  const keys = Object.keys(text ?? {});
  if (keys.length === 0) return;
  const data = { ...secret.data };
  for (const key of keys) {
    const value = Buffer.from(text[key], 'utf8').toString('base64');
    Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
  }
  secret.data = data;
}

/** (SetDefaults_Namespace) Every namespace is labelled with its name. */
export function setNamespaceLabel(namespace: Part): void {
  const name = namespace.metadata?.name;
  if (!name) return;
  namespace.metadata.labels = { ...namespace.metadata.labels, 'kubernetes.io/metadata.name': name };
}

/** (SetDefaults_ReplicationController) Selector and labels default to the labels of the template. */
export function setReplicationControllerLabels(controller: Part): void {
  const labels = controller.spec?.template?.metadata?.labels;
  if (!labels) return;
  if (isEmpty(controller.spec.selector)) controller.spec.selector = { ...labels };
  if (isEmpty(controller.metadata.labels)) controller.metadata.labels = { ...labels };
}

/** (SetDefaults_PersistentVolumeClaim) Also the claim templates of stateful sets have a phase. */
export function setClaimPhase(claim: Part): void {
  if (!claim.status?.phase) claim.status = { ...claim.status, phase: 'Pending' };
}

const isEmpty = (map: Part): boolean => map === undefined || map === null || Object.keys(map).length === 0;
