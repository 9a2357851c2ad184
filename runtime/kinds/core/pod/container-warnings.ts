import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { addFractionalByteWarnings } from '../resource-list.ts';

/** A container and its position. */
export interface ContainerPosition {
  readonly container: Unvalidated<core.Container>;
  /** The path of its list: `spec.initContainers`. */
  readonly list: string;
  readonly index: number;
}

export const containerPath = ({ list, index }: ContainerPosition): string => `${list}[${index}]`;

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Returns all containers of a pod, in the order in which upstream visits them. (VisitContainers)
 *
 * @param path of the spec
 */
export function containersOf(spec: Unvalidated<core.PodSpec>, path: string): ContainerPosition[] {
  const positions: ContainerPosition[] = [];
  for (const name of lists) {
    const containers = spec[name];
    if (!containers) continue;
    const list = `${path}.${name}`;
    for (const [index, container] of containers.entries()) positions.push({ container, list, index });
  }
  return positions;
}

export const byteResources = ['memory', 'ephemeral-storage'];

/** Warns about fractional amounts of bytes. */
export function addResourceWarnings(position: ContainerPosition, warnings: string[]): void {
  const { resources } = position.container;
  if (!resources) return;
  for (const name of byteResources) {
    for (const list of ['limits', 'requests'] as const) {
      if (resources[list]?.[name] === undefined) continue;
      addFractionalByteWarnings(resources[list], [name], `${containerPath(position)}.resources.${list}`, warnings);
    }
  }
}

/** Warns about variables that are redefined without a reference to the previous definition. */
export function addEnvironmentWarnings(position: ContainerPosition, warnings: string[]): void {
  const variables = position.container.env ?? [];
  if (variables.length < 2) return;
  const seen = new Set<string>();
  for (const [index, { name = '', value = '', valueFrom }] of variables.entries()) {
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    const reference = `$(${name})`;
    if (!valueFrom && value !== reference && value.includes(reference)) continue;
    const which = `previous definition of ${quote(name)}`;
    warnings.push(`${containerPath(position)}.env[${index}]: hides ${which}, which may be dropped when using apply`);
  }
}
