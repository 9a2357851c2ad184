import type { Container, LimitRange, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { addMissing, type ResourceList } from '../../../kinds/core/resource-list.ts';

const annotation = 'kubernetes.io/limit-ranger';

/** The defaults of a limit range for containers. */
interface Defaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** The defaults of each limit range, computed once since limit ranges never change in place. */
const defaultsOfRange = new WeakMap<LimitRange, Defaults>();

/** (defaultContainerResourceRequirements) */
function defaultsOf(range: LimitRange): Defaults {
  let defaults = defaultsOfRange.get(range);
  if (defaults === undefined) {
    defaults = { requests: {}, limits: {} };
    for (const item of range.spec?.limits ?? []) {
      if (item.type !== 'Container') continue;
      Object.assign(defaults.requests, item.defaultRequest);
      Object.assign(defaults.limits, item.default);
    }
    defaultsOfRange.set(range, defaults);
  }
  return defaults;
}

/** Sets missing requests and limits of containers, and an annotation that lists them. (mergePodResourceRequirements) */
export function mergePodResourceRequirements(pod: Pod, range: LimitRange): void {
  const defaults = defaultsOf(range);
  const { containers, initContainers } = pod.spec ?? { containers: [] };
  const notes = [
    ...(containers ?? []).flatMap((container) => mergeContainerResources(container, defaults, 'container')),
    ...(initContainers ?? []).flatMap((container) => mergeContainerResources(container, defaults, 'init container')),
  ];
  if (notes.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  };
}

function mergeContainerResources(container: Container, { requests, limits }: Defaults, what: string): string[] {
  const { resources } = container;
  const missingRequests = missingNames(requests, resources?.requests);
  const missingLimits = missingNames(limits, resources?.limits);
  const notes: string[] = [];
  if (missingRequests.length + missingLimits.length === 0) return notes;
  container.resources = { ...resources };
  if (missingRequests.length > 0) {
    container.resources.requests = { ...resources?.requests };
    addMissing(container.resources.requests, requests);
    notes.push(`${missingRequests.join(', ')} request for ${what} ${container.name}`);
  }
  if (missingLimits.length > 0) {
    container.resources.limits = { ...resources?.limits };
    addMissing(container.resources.limits, limits);
    notes.push(`${missingLimits.join(', ')} limit for ${what} ${container.name}`);
  }
  return notes;
}

const missingNames = (defaults: ResourceList, present: ResourceList | undefined): string[] =>
  Object.keys(defaults)
    .filter((name) => !Object.hasOwn(present ?? {}, name))
    .sort();
