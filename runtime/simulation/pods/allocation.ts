import type { Container, Pod, ResourceRequirements } from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { type Amounts, amountsOf, equalAmounts } from '../../machinery/scalars/resource-amounts.ts';
import { isSidecar } from './phase.ts';

/* The resources that a node has given to a pod's containers, regardless of later requests. (pkg/kubelet/allocation) */

/** Resources by the name of the container or sidecar. */
export type Allocation = ReadonlyMap<string, ResourceRequirements>;

/**
 * Returns the requested resources; undefined if there are none, in which case they cannot change. (allocationFromPod)
 */
export function wantedBy(pod: Pod): Allocation | undefined {
  return hasResources(pod) ? new Map(resizable(pod).map(({ name, resources = {} }) => [name, resources])) : undefined;
}

/**
 * Returns the pod with its allocated resources. Returns the same object if they equal the requested ones.
 * (UpdatePodFromAllocation)
 */
export function allocatedPod(pod: Pod, known: Allocation | undefined): Pod {
  if (!hasResources(pod)) return pod;
  const given = known ?? shownBy(pod);
  const differs = ({ name, resources = {} }: Container): boolean => {
    const allocated = given.get(name);
    return allocated !== undefined && !sameResources(allocated, resources);
  };
  const { spec } = pod;
  if (spec === undefined || !resizable(pod).some(differs)) return pod;
  const asGiven = (container: Container): Container =>
    differs(container) ? defined({ ...container, resources: given.get(container.name) }) : container;
  const { initContainers } = spec;
  return {
    ...pod,
    spec: {
      ...spec,
      containers: spec.containers.map(asGiven),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map((one) => (isSidecar(one) ? asGiven(one) : one)) }),
    },
  };
}

/** Returns the allocation that a restarted kubelet finds: the resources in statuses of running containers. */
function shownBy({ status }: Pod): Allocation {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return new Map(all.flatMap(({ name, state, resources }) => (state?.running && resources ? [[name, resources] as const] : [])));
}

const hasResources = (pod: Pod): boolean =>
  resizable(pod).some(({ resources }) => resources?.requests !== undefined || resources?.limits !== undefined);

const resizable = ({ spec }: Pod): Container[] => [...(spec?.initContainers ?? []).filter(isSidecar), ...(spec?.containers ?? [])];

function sameResources(a: ResourceRequirements, b: ResourceRequirements): boolean {
  return (
    equalJson(a, b) ||
    (equalAmounts(amountsOf(a.requests), amountsOf(b.requests)) && equalAmounts(amountsOf(a.limits), amountsOf(b.limits)))
  );
}

/** Reports whether a running container must restart to get its resources. (computePodResizeAction) */
export function resizeNeedsRestart({ resources, resizePolicy }: Container, actual: ResourceRequirements = {}): boolean {
  const changed = (name: string): boolean =>
    (['requests', 'limits'] as const).some((list) => {
      const amounts = (of: ResourceRequirements): Amounts => {
        const amount = of[list]?.[name];
        return amountsOf(amount ? { [name]: amount } : {});
      };
      return !equalAmounts(amounts(resources ?? {}), amounts(actual));
    });
  return (resizePolicy ?? []).some(({ resourceName, restartPolicy }) => restartPolicy === 'RestartContainer' && changed(resourceName));
}
