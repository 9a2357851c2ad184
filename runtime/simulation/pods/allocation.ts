import type { Container, Pod, ResourceRequirements } from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { type Amounts, amountsOf, equalAmounts } from '../../machinery/scalars/resource-amounts.ts';
import { isSidecar } from './phase.ts';

/* What a node has given to the containers of a pod, whatever their pod asks for since then. (pkg/kubelet/allocation) */

/** By the names of containers and sidecars. */
export type Allocation = ReadonlyMap<string, ResourceRequirements>;

/** What the pod asks for; undefined if that is nothing, which nobody can change. (allocationFromPod) */
export function wantedBy(pod: Pod): Allocation | undefined {
  return hasResources(pod) ? new Map(resizable(pod).map(({ name, resources = {} }) => [name, resources])) : undefined;
}

/** The pod with the resources that it has. It is the same object if these are the ones that it asks for. (UpdatePodFromAllocation) */
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

/** What a kubelet that starts anew finds: containers that run have what their statuses say. */
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

/** Whether a container that runs has to be started anew to have its resources. (computePodResizeAction) */
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
