import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { isPodLevelResourcesSet, podRequests } from '../../../kinds/core/pod/resources.ts';
import { BoundedMap } from '../../../machinery/collections/bounded-map.ts';
import { defined } from '../../../machinery/json/defined.ts';
import { parseQuantity, type Quantity } from '../../../machinery/scalars/quantity.ts';
import { noAffinity, type PodAffinityTerms, podAffinityTerms } from './affinity-term.ts';
import { type HostPort, hostPortsOf } from './host-ports.ts';
import type { LabelGroup } from './label-group.ts';
import { milliValue, newResource, type Resource, wholeValue } from './resource.ts';

/** The requests that scores assume for a container without requests. (pkg/scheduler/util/pod_resources.go) */
const defaultRequests: ReadonlyMap<string, Quantity> = new Map([
  ['cpu', parseQuantity('100m')],
  ['memory', parseQuantity('200Mi')],
]);

/** A pod with data that the scheduler needs, computed once. (scheduler/framework PodInfo) */
export interface PodInfo {
  readonly pod: Pod;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly priority: number;
  readonly requests: Resource;
  /** Requests, with a small amount for each container without requests, so that such pods spread over nodes. */
  readonly nonZeroMilliCPU: number;
  readonly nonZeroMemory: number;
  readonly hostPorts: readonly HostPort[];
  /** The pod's claims as `namespace/name`, without claims that are generated for the pod. */
  readonly claims: readonly string[];
  readonly group: LabelGroup;
  readonly affinity: PodAffinityTerms;
}

const groups = new BoundedMap<string, LabelGroup>(20_000);
const affinities = new BoundedMap<string, PodAffinityTerms>(5_000);

export function newPodInfo(pod: Pod): PodInfo {
  const { metadata, spec } = pod;
  const { uid = '', namespace = '', name = '' } = metadata;
  const requests = podRequests(pod);
  const isMissing = (resource: string): boolean => !isPodLevelResourcesSet(pod) || !requests.has(resource);
  const missing = new Map([...defaultRequests].filter(([resource]) => isMissing(resource)));
  const nonZero = missing.size === 0 || requestsAll(pod) ? requests : podRequests(pod, missing);
  return {
    pod,
    uid,
    namespace,
    name,
    priority: spec?.priority ?? 0,
    requests: newResource(requests),
    nonZeroMilliCPU: milliValue(nonZero.get('cpu') ?? noQuantity),
    nonZeroMemory: wholeValue(nonZero.get('memory') ?? noQuantity),
    hostPorts: hostPortsOf(pod),
    claims: (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) =>
      persistentVolumeClaim ? [`${namespace}/${persistentVolumeClaim.claimName}`] : [],
    ),
    group: groupOf(pod),
    affinity: affinityOf(pod),
  };
}

/** Replaces the pod after a change that left its requests the same. */
export const withPod = (info: PodInfo, pod: Pod): PodInfo => ({ ...info, pod, group: groupOf(pod) });

const noQuantity = parseQuantity('0');

function requestsAll({ spec }: Pod): boolean {
  return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].every(
    ({ resources }) => resources?.requests?.cpu !== undefined && resources.requests.memory !== undefined,
  );
}

function groupOf({ metadata }: Pod): LabelGroup {
  const { namespace = '', labels = {}, deletionTimestamp } = metadata;
  const isTerminating = deletionTimestamp !== undefined;
  const key = JSON.stringify([namespace, isTerminating, labels]);
  let group = groups.get(key);
  if (group === undefined) {
    group = { namespace, labels, isTerminating };
    groups.set(key, group);
  }
  return group;
}

function affinityOf({ metadata, spec }: Pod): PodAffinityTerms {
  const { affinity } = spec ?? {};
  if (!affinity?.podAffinity && !affinity?.podAntiAffinity) return noAffinity;
  const { podAffinity, podAntiAffinity } = affinity;
  const { namespace = '' } = metadata;
  const key = JSON.stringify([namespace, podAffinity, podAntiAffinity]);
  let terms = affinities.get(key);
  if (terms === undefined) {
    terms = podAffinityTerms(defined({ podAffinity, podAntiAffinity }), namespace);
    affinities.set(key, terms);
  }
  return terms;
}
