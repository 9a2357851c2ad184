import type { Pod, Service } from '../../../generated/v1.35/core/v1/types.ts';
import { isPodReady } from '../../kinds/core/pod/conditions.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import type { ObjectQueue } from '../../reconcile/queue-controller.ts';
import { isPodTerminal } from '../pod-control/pod-states.ts';

/** The pods of services. (endpointslice util/controller_utils.go) */

/** Reports whether the pod may receive requests: it has not finished, and has an address. */
export function shouldPodBeInEndpoints(pod: Pod, includesTerminating: boolean): boolean {
  const { podIP, podIPs = [] } = pod.status ?? {};
  if (isPodTerminal(pod) || (!podIP && podIPs.length === 0)) return false;
  return includesTerminating || !pod.metadata.deletionTimestamp;
}

/** Reports whether the pod's name is published below the service's name. */
export function shouldSetHostname({ spec, metadata }: Pod, service: Service): boolean {
  const isBelow = spec?.subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return Boolean(spec?.hostname) && isBelow;
}

/** Returns the pods that the service selects. */
export function podsOfService({ metadata, spec }: Service, pods: SharedInformer<Pod>): Pod[] {
  return [...pods.list(metadata.namespace)].filter((pod) => selects(spec?.selector, pod.metadata.labels));
}

/** Queues the services that select a changed pod, or selected it before the change. */
export function enqueueServicesOfPods(pods: SharedInformer<Pod>, services: SharedInformer<Service>, queue: ObjectQueue): void {
  const enqueue = (states: readonly [Pod, ...Pod[]], wanted: (...matches: boolean[]) => boolean): void => {
    for (const service of services.list(states[0].metadata.namespace)) {
      if (wanted(...states.map(({ metadata }) => selects(service.spec?.selector, metadata.labels)))) {
        queue.addObject(service);
      }
    }
  };
  pods.addEventHandler({
    onAdd: (pod) => enqueue([pod], (matches) => matches),
    onDelete: (pod) => enqueue([pod], (matches) => matches),
    onUpdate(before, after) {
      const hasChanged = endpointOf(before) !== endpointOf(after);
      if (!sameNames(before, after)) enqueue([before, after], (old, now) => (hasChanged ? old || now : old !== now));
      else if (hasChanged) enqueue([after], (matches) => matches);
    },
  });
}

type Labels = Readonly<Record<string, string>>;

/** Reports whether a selector matches. An absent selector matches nothing. */
function selects(selector: Labels | undefined, labels: Labels = {}): boolean {
  return selector !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);
}

/** Returns the part of a pod that endpoints show and that can change. */
function endpointOf(pod: Pod): string {
  const { status, metadata } = pod;
  return JSON.stringify([metadata.deletionTimestamp, isPodReady(pod), status?.podIPs, isPodTerminal(pod)]);
}

const sameNames = (a: Pod, b: Pod): boolean =>
  equalJson(a.metadata.labels, b.metadata.labels) && a.spec?.hostname === b.spec?.hostname && a.spec?.subdomain === b.spec?.subdomain;
