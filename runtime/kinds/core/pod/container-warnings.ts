import { quote } from '../../../machinery/go/quote.ts';
import type { Part } from '../../../machinery/object.ts';
import { addFractionalByteWarnings } from '../resource-list.ts';

/** A container, and the list it is in: `spec.initContainers`. */
export interface ContainerPosition {
  readonly container: Part;
  readonly list: string;
  readonly index: number;
}

export const containerPath = ({ list, index }: ContainerPosition): string => `${list}[${index}]`;

const lists = ['initContainers', 'containers', 'ephemeralContainers'];

/** All containers of a pod, in the order upstream looks at them. */
export function containersOf(spec: Part, path: string): ContainerPosition[] {
  const seats: ContainerPosition[] = [];
  for (const name of lists) {
    const containers: readonly Part[] | undefined = spec[name];
    if (!containers) continue;
    const list = `${path}.${name}`;
    for (let index = 0; index < containers.length; index++) seats.push({ container: containers[index], list, index });
  }
  return seats;
}

export const byteResources = ['memory', 'ephemeral-storage'];

/** Amounts, limits first. */
export function addResourceWarnings(seat: ContainerPosition, warnings: string[]): void {
  const { resources } = seat.container;
  if (!resources) return;
  for (const name of byteResources) {
    for (const list of ['limits', 'requests']) {
      if (resources[list]?.[name] === undefined) continue;
      addFractionalByteWarnings(resources[list], [name], `${containerPath(seat)}.resources.${list}`, warnings);
    }
  }
}

/** Variables that are set again without use of what they were. */
export function addEnvironmentWarnings(seat: ContainerPosition, warnings: string[]): void {
  const variables: readonly Part[] = seat.container.env ?? [];
  if (variables.length < 2) return;
  const seen = new Set<string>();
  for (const [index, { name, value = '', valueFrom }] of variables.entries()) {
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    const reference = `$(${name})`;
    if (!valueFrom && value !== reference && value.includes(reference)) continue;
    const which = `previous definition of ${quote(name)}`;
    warnings.push(`${containerPath(seat)}.env[${index}]: hides ${which}, which may be dropped when using apply`);
  }
}
