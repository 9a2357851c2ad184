import type { Part } from '../../../machinery/object.ts';
import { addMissing, roundResourceList } from '../resource-list.ts';
import { imageTag } from './image-reference.ts';

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

export function roundResources(requirements: Part): void {
  roundResourceList(requirements.limits);
  roundResourceList(requirements.requests);
}

export function roundPodOverhead(spec: Part): void {
  roundResourceList(spec.overhead);
}
