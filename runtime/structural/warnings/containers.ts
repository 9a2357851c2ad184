import type { Part } from '../../machinery/object.ts';
import { quote } from '../../machinery/quote.ts';
import { warnOfFractions } from './byte-amounts.ts';

/** A container, and the list it is in: `spec.initContainers`. */
export interface Seat {
  readonly container: Part;
  readonly list: string;
  readonly index: number;
}

export const seatPath = ({ list, index }: Seat): string => `${list}[${index}]`;

const lists = ['initContainers', 'containers', 'ephemeralContainers'];

/** All containers of a pod, in the order upstream looks at them. */
export function seatsOf(spec: Part, path: string): Seat[] {
  const seats: Seat[] = [];
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
export function warnOfAmounts(seat: Seat, warnings: string[]): void {
  const { resources } = seat.container;
  if (!resources) return;
  for (const name of byteResources) {
    for (const list of ['limits', 'requests']) {
      if (resources[list]?.[name] === undefined) continue;
      warnOfFractions(resources[list], [name], `${seatPath(seat)}.resources.${list}`, warnings);
    }
  }
}

/** Variables that are set again without use of what they were. */
export function warnOfEnvironment(seat: Seat, warnings: string[]): void {
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
    warnings.push(`${seatPath(seat)}.env[${index}]: hides ${which}, which may be dropped when using apply`);
  }
}
