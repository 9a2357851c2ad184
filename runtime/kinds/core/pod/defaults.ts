import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { setOrDelete } from '../../../machinery/json/defined.ts';
import { amountsOf, mask, resourceListOf } from '../../../machinery/scalars/resource-amounts.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { addMissing, isHugePageResourceName, isOvercommitAllowed, roundResourceList } from '../resource-list.ts';
import { isSupportedPodLevelResource, sumOfContainers } from './resources.ts';

/** Defaults of pods and their parts. (pkg/apis/core/v1/defaults.go, conversion.go) */

type Pod = Unvalidated<core.Pod>;
type PodSpec = Unvalidated<core.PodSpec>;

const defaultPullPolicy = (image: string | undefined): string => (imageTag(image ?? '') === 'latest' ? 'Always' : 'IfNotPresent');

/** (SetDefaults_Container) */
export function setContainerPullPolicy(container: Unvalidated<core.Container | core.EphemeralContainer>): void {
  if (!container.imagePullPolicy) container.imagePullPolicy = defaultPullPolicy(container.image);
}

/** A volume without a source becomes an empty directory. (SetDefaults_Volume) */
export function setVolumeSource(volume: Unvalidated<core.Volume>): void {
  const hasSource = Object.entries(volume).some(([key, value]) => key !== 'name' && value !== undefined);
  if (!hasSource) volume.emptyDir = {};
  if (volume.image && !volume.image.pullPolicy) volume.image.pullPolicy = defaultPullPolicy(volume.image.reference);
}

/** Requests default to limits, in pods but not in templates. (SetDefaults_Pod) */
export function setPodRequests({ spec }: Pod): void {
  for (const { resources } of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const limits = resources?.limits;
    if (!limits || Object.keys(limits).length === 0) continue;
    const requests = { ...resources.requests };
    addMissing(requests, limits);
    resources.requests = requests;
  }
  if (spec?.resources) setPodLevelResources(spec, spec.resources);
}

/**
 * Completes the amounts of a pod that states some: with the amounts of its containers, then with its limits as
 * requests. (defaultHugePagePodLimits, defaultPodRequests)
 */
function setPodLevelResources(spec: PodSpec, stated: Unvalidated<core.ResourceRequirements>): void {
  const limits = { ...stated.limits };
  const requests = { ...stated.requests };
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return;
  const sumOf = (list: 'requests' | 'limits') => sumOfContainers(spec, ({ resources }) => amountsOf(resources?.[list]));
  const isDefaulted = (name: string): boolean => isHugePageResourceName(name) && !Object.hasOwn(requests, name);
  addMissing(limits, resourceListOf(mask(sumOf('limits'), isDefaulted)));
  if (Object.keys(limits).length === 0) return;
  stated.limits = limits;
  const isShared = (name: string): boolean => isSupportedPodLevelResource(name) && isOvercommitAllowed(name);
  addMissing(requests, resourceListOf(mask(sumOf('requests'), isShared)));
  addMissing(requests, resourceListOf(mask(amountsOf(limits), isSupportedPodLevelResource)));
  if (Object.keys(requests).length > 0) stated.requests = requests;
}

/** (SetDefaults_Pod) */
export function setPodServiceLinks({ spec }: Pod): void {
  if (spec && spec.enableServiceLinks === undefined) spec.enableServiceLinks = true;
}

/** Replaces a negative grace period with one second, in pods but not in templates. (Convert_v1_Pod_To_core_Pod) */
export function setPodGracePeriod({ spec }: Pod): void {
  if (spec?.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) {
    spec.terminationGracePeriodSeconds = 1;
  }
}

const initContainerAnnotations = ['init-containers', 'init-container-statuses'].flatMap((name) => [
  `pod.beta.kubernetes.io/${name}`,
  `pod.alpha.kubernetes.io/${name}`,
]);

/** Drops the annotations that very old clients used in place of `initContainers`. (dropInitContainerAnnotations) */
export function dropInitContainerAnnotations({ metadata }: Pod | Unvalidated<core.PodTemplateSpec>): void {
  const annotations = metadata?.annotations;
  if (!annotations) return;
  for (const name of initContainerAnnotations) {
    if (!Object.hasOwn(annotations, name)) continue;
    delete annotations[name];
    if (Object.keys(annotations).length === 0) delete metadata.annotations;
  }
}

/** (defaultHostNetworkPorts) */
export function setHostNetworkPorts({ spec }: Pod): void {
  if (!spec?.hostNetwork) return;
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of container.ports ?? []) if (!port.hostPort) setOrDelete(port, 'hostPort', port.containerPort);
  }
}

/** The deprecated `serviceAccount` always equals `serviceAccountName`. (Convert_core_PodSpec_To_v1_PodSpec) */
export function setServiceAccountAlias(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/**
 * Makes `podIP` the first of `podIPs`. If they differ, `podIP` wins, because older clients know only this field.
 * (Convert_v1_PodStatus_To_core_PodStatus)
 */
export function setPodAddresses(status: Unvalidated<core.PodStatus>): void {
  const first = status.podIPs?.[0]?.ip ?? '';
  if (status.podIP) {
    if (status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  } else if (first !== '') status.podIP = first;
  else delete status.podIP;
}

export function roundResources(requirements: Unvalidated<core.ResourceRequirements>): void {
  roundResourceList(requirements.limits);
  roundResourceList(requirements.requests);
}

/** Rounds the allocated resources of a pod or of a container. */
export function roundAllocatedResources(status: Pick<Unvalidated<core.PodStatus>, 'allocatedResources'>): void {
  roundResourceList(status.allocatedResources);
}

export function roundPodOverhead(spec: PodSpec): void {
  roundResourceList(spec.overhead);
}

const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathComponent = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(`^(?:${domain}/)?${pathComponent}(?:/${pathComponent})*(?::([\\w][\\w.-]{0,127}))?(?:@(${digest}))?$`);
const knownDigest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const maxRepositoryName = 255;
const bareDigest = /^[a-f0-9]{64}$/;

/**
 * Returns the tag of an image: `latest` without a tag and digest, "" for an image with only a digest or with an invalid
 * name. (pkg/util/parsers, ParseImageName)
 */
export function imageTag(image: string): string {
  const match = reference.exec(image);
  if (!match || bareDigest.test(image)) return '';
  const [, tag, given] = match;
  if (given !== undefined && !knownDigest.test(given)) return '';
  const path = remoteNameOf(image.split('@')[0]?.replace(/:[\w][\w.-]*$/, '') ?? '');
  if (path.length > maxRepositoryName || path.toLowerCase() !== path) return '';
  return tag ?? (given === undefined ? 'latest' : '');
}

/** The name of a repository without its domain, which is docker.io if there is none. (reference.splitDockerDomain) */
function remoteNameOf(name: string): string {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  if (slash < 0) return `library/${name}`;
  const isDomain = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first;
  return isDomain ? name.slice(slash + 1) : name;
}
