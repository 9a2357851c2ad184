import type { KubeObject, Part } from '../../../machinery/object.ts';
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../../../machinery/scalars/quantity.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import type { ResourceHooks } from '../../hooks.ts';

/** (pkg/registry/core/pod/strategy.go) */
export const pods: ResourceHooks = {
  returnsDeleted: true,
  prepareForCreate(pod, { now }) {
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
  prepareForUpdate(pod, old, _context, part) {
    if (part === 'status' && !pod.status?.qosClass && old.status?.qosClass) pod.status.qosClass = old.status.qosClass;
  },
  /** Only what may still run on a node gets time to stop. */
  gracePeriod(pod, asked) {
    const finished = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    if (!pod.spec?.nodeName || finished) return 0;
    const period = asked ?? pod.spec.terminationGracePeriodSeconds ?? 0;
    return period < 0 ? 1 : Number(period);
  },
};

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
