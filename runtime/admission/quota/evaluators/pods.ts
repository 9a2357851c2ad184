import type { Pod, PodAffinityTerm } from '../../../../generated/v1.35/core/v1/types.ts';
import { getPodQOS } from '../../../kinds/core/pod/qos.ts';
import { isPodLevelResourcesSet, podLimits, podRequests } from '../../../kinds/core/pod/resources.ts';
import { isExtendedResourceName, isHugePageResourceName, isNativeResource } from '../../../kinds/core/resource-list.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { Quantity } from '../../../machinery/scalars/quantity.ts';
import { type Amounts, amountsOf } from '../../../machinery/scalars/resource-amounts.ts';
import type { Evaluator, Measure, MissingAmounts } from '../evaluator.ts';
import type { ScopeFacts } from '../scopes.ts';
import { objectCountName, one } from './object-count.ts';

const countName = objectCountName('', 'pods');

/** Resources with bounds for both requests and limits. The plain name stands for requests. */
const computeResources = ['cpu', 'memory', 'ephemeral-storage'];
const podResources: ReadonlySet<string> = new Set([
  countName,
  'pods',
  ...computeResources.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** Resources that each container must state if a quota bounds them. Other resources need not be stated. */
const requiredResources = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** The prefix of resource names for devices of a class. */
const deviceClassPrefix = 'deviceclass.resource.kubernetes.io/';

/** (isExtendedResourceNameForQuota) */
const isExtendedRequest = (name: string): boolean =>
  name.startsWith('requests.') && (!isNativeResource(name) || name.startsWith(`requests.${deviceClassPrefix}`));

const matches = (name: string): boolean =>
  podResources.has(name) || isHugePageResourceName(name) || name.startsWith('requests.hugepages-') || isExtendedRequest(name);

/** (podComputeUsageHelper) */
function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>([['pods', one]]);
  for (const name of computeResources) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) usage.set(name, request).set(`requests.${name}`, request);
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, amount] of requests) {
    if (isHugePageResourceName(name)) usage.set(name, amount).set(`requests.${name}`, amount);
    if (isExtendedResourceName(name) || name.startsWith(deviceClassPrefix)) usage.set(`requests.${name}`, amount);
  }
  return usage;
}

const isTerminating = ({ spec }: Pod): boolean => Number(spec?.activeDeadlineSeconds ?? -1) >= 0;

function usesOtherNamespaces({ namespaces, namespaceSelector }: PodAffinityTerm): boolean {
  return (namespaces ?? []).length > 0 || (namespaceSelector !== undefined && namespaceSelector !== null);
}

/** (usesCrossNamespacePodAffinity) */
function isInAffinityWithOtherNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) =>
    [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ].some(usesOtherNamespaces),
  );
}

function scopesOf(pod: Pod): ScopeFacts {
  const className = pod.spec?.priorityClassName;
  return {
    in: new Set([
      isTerminating(pod) ? 'Terminating' : 'NotTerminating',
      getPodQOS(pod) === 'BestEffort' ? 'BestEffort' : 'NotBestEffort',
      ...(isInAffinityWithOtherNamespaces(pod) ? ['CrossNamespacePodAffinity'] : []),
    ]),
    values: { PriorityClass: className ? [className] : [] },
  };
}

/** Returns when a deleted pod on an unresponsive node ceases to count; undefined if it is not being deleted. */
function endOf({ metadata }: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return undefined;
  return Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

/** Measures a pod. A finished pod only counts as an object. (PodUsageFunc, QuotaV1Pod) */
function measure(object: KubeObject, now: number): Measure {
  const pod = object as Pod;
  const scopes = scopesOf(pod);
  const end = endOf(pod);
  const isOver = ['Failed', 'Succeeded'].includes(pod.status?.phase ?? '') || (end !== undefined && now > end);
  if (isOver) return { usage: new Map([[countName, one]]), scopes };
  const usage = computeUsage(podRequests(pod), podLimits(pod)).set(countName, one);
  return { usage, scopes, ...defined({ until: end }) };
}

/** Returns the missing amounts of containers. A pod with pod-level amounts lacks none. (Constraints) */
function missing(object: KubeObject): MissingAmounts {
  const pod = object as Pod;
  if (isPodLevelResourcesSet(pod)) return {};
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const lacking: Record<string, string[]> = {};
  for (const { name, resources } of containers) {
    const usage = computeUsage(amountsOf(resources?.requests), amountsOf(resources?.limits));
    for (const required of requiredResources) {
      if (usage.has(required)) continue;
      lacking[required] ??= [];
      lacking[required].push(name);
    }
  }
  return lacking;
}

/** (pkg/quota/v1/evaluator/core/pods.go) */
export const podEvaluator: Evaluator = {
  group: '',
  resource: 'pods',
  matches,
  measure,
  missing,
  handles: (operation, subresource) =>
    operation === 'UPDATE' ? ['', 'resize'].includes(subresource) : operation === 'CREATE' && subresource === '',
  // an update changes no amounts, but it may change the scope
  handlesUpdate: (pod, old) => isTerminating(pod as Pod) !== isTerminating(old as Pod),
};
