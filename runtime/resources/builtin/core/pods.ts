import { forbidden } from '../../../machinery/field-error.ts';
import { FieldPath } from '../../../machinery/field-path.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../machinery/scalars/quantity.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import type { RESTStrategy } from '../../rest.ts';
import { adoptAppArmorAnnotations } from './app-armor.ts';
import { validateEphemeralContainers, validateResize } from './pod-parts.ts';

/** (pkg/registry/core/pod/strategy.go) */
export const pods: RESTStrategy = {
  returnDeletedObject: true,
  prepareForCreate(pod, { now, warn }) {
    adoptAppArmorAnnotations(pod, warn);
    pod.status = { ...pod.status, phase: 'Pending', qosClass: qosClass(pod) };
    if ((pod.spec?.schedulingGates ?? []).length === 0) return;
    pod.status.conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: timeText(now),
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
        observedGeneration: 1,
      },
    ];
  },
  prepareForUpdate(pod, old, { subresource }) {
    if (subresource === 'status') keepServerStatus(pod, old);
    if (subresource === 'ephemeralcontainers') {
      keepAllBut(pod, old, { ...old.spec, ephemeralContainers: pod.spec?.ephemeralContainers });
    }
    if (subresource === 'resize') keepAllBut(pod, old, resized(pod.spec ?? {}, old.spec ?? {}));
  },
  validateCreate({ spec }, errors) {
    if ((spec?.ephemeralContainers ?? []).length === 0) return;
    errors.push(forbidden(FieldPath.of('spec', 'ephemeralContainers'), 'cannot be set on create'));
  },
  validateUpdate(pod, old, errors, { subresource }) {
    if (subresource === 'ephemeralcontainers') validateEphemeralContainers(pod, old, errors);
    if (subresource === 'resize') validateResize(pod, old, qosClass, errors);
  },
  /** Only what may still run on a node gets time to stop. */
  checkGracefulDelete(pod, asked) {
    const finished = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    if (!pod.spec?.nodeName || finished) return 0;
    const period = asked ?? pod.spec.terminationGracePeriodSeconds ?? 0;
    return period < 0 ? 1 : Number(period);
  },
};

function keepServerStatus(pod: KubeObject, old: KubeObject): void {
  pod.status ??= {};
  if (!pod.status.qosClass && old.status?.qosClass) pod.status.qosClass = old.status.qosClass;
  if (!pod.status.observedGeneration && old.status?.observedGeneration) {
    pod.status.observedGeneration = old.status.observedGeneration;
  }
}

/** Takes the pod back to what it was, but for its spec. */
function keepAllBut(pod: KubeObject, old: KubeObject, spec: Part): void {
  const { resourceVersion, managedFields } = pod.metadata;
  pod.metadata = { ...old.metadata, resourceVersion };
  if (managedFields !== undefined) pod.metadata.managedFields = managedFields;
  pod.status = old.status;
  pod.spec = spec;
  if (spec.ephemeralContainers === undefined) delete spec.ephemeralContainers;
}

/** The old spec with the new resources of its containers; the new one where containers came, went or changed places. */
function resized(spec: Part, old: Part): Part {
  const lists = ['containers', 'initContainers'];
  const namesOf = (list: Part[] = []): string => list.map(({ name }) => name).join();
  if (lists.some((list) => namesOf(spec[list]) !== namesOf(old[list]))) return spec;
  const result = { ...old };
  for (const list of lists) {
    if (old[list] === undefined) continue;
    result[list] = old[list].map((container: Part, index: number) => {
      const { resources, resizePolicy } = spec[list][index];
      const { resizePolicy: _, ...rest } = container;
      return { ...rest, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) };
    });
  }
  return result;
}

type Totals = Map<string, Quantity>;

const zero = parseQuantity('0');
const computeResources = ['cpu', 'memory'];

/** How a pod's requests and limits rank it when memory runs out. (pkg/apis/core/helper/qos) */
export function qosClass(pod: KubeObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const requests: Totals = new Map();
  const limits: Totals = new Map();
  let allLimited = true;
  for (const { requests: asked, limits: allowed } of resourcesOf(pod.spec ?? {})) {
    collect(requests, asked);
    if (collect(limits, allowed) < computeResources.length) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal = [...requests].every(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  return allLimited && equal && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Resources of the pod as a whole where it states any, else of its containers. */
function resourcesOf(spec: Part): { requests?: Part; limits?: Part }[] {
  const whole = spec.resources;
  if (computeResources.some((name) => whole?.requests?.[name] !== undefined || whole?.limits?.[name] !== undefined)) {
    return [whole];
  }
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources ?? {});
}

/** Adds what is above zero; gives how many kinds that were. */
function collect(totals: Totals, list: Part): number {
  let found = 0;
  for (const name of computeResources) {
    if (list?.[name] === undefined) continue;
    const amount = parseQuantity(String(list[name]));
    if (compareQuantities(amount, zero) <= 0) continue;
    found++;
    const before = totals.get(name);
    totals.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
  return found;
}
