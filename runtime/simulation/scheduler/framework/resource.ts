import { isExtendedResourceName, isHugePageResourceName } from '../../../kinds/core/resource-list.ts';
import { type Quantity, scaledQuantityValue } from '../../../machinery/scalars/quantity.ts';
import type { Amounts } from '../../../machinery/scalars/resource-amounts.ts';

/** Amounts of resources as numbers, exact up to 2^53: 9 PiB of memory. (scheduler/framework Resource) */
export interface Resource {
  milliCPU: number;
  /** Bytes. */
  memory: number;
  /** Bytes. */
  ephemeralStorage: number;
  /** The most pods of a node. */
  allowedPodNumber: number;
  /** Other resources by name. */
  readonly scalarResources: Map<string, number>;
}

export const emptyResource = (): Resource => ({
  milliCPU: 0,
  memory: 0,
  ephemeralStorage: 0,
  allowedPodNumber: 0,
  scalarResources: new Map(),
});

export function newResource(amounts: Amounts): Resource {
  const resource = emptyResource();
  for (const [name, quantity] of amounts) {
    if (name === 'cpu') resource.milliCPU = milliValue(quantity);
    else if (name === 'memory') resource.memory = wholeValue(quantity);
    else if (name === 'ephemeral-storage') resource.ephemeralStorage = wholeValue(quantity);
    else if (name === 'pods') resource.allowedPodNumber = wholeValue(quantity);
    else if (isScalarResourceName(name)) resource.scalarResources.set(name, wholeValue(quantity));
  }
  return resource;
}

export const cloneResource = (resource: Resource): Resource => ({
  ...resource,
  scalarResources: new Map(resource.scalarResources),
});

/** Adds requests to a sum in place, or subtracts them. */
export function addResource(sum: Resource, { scalarResources, ...one }: Resource, sign: 1 | -1): void {
  sum.milliCPU += sign * one.milliCPU;
  sum.memory += sign * one.memory;
  sum.ephemeralStorage += sign * one.ephemeralStorage;
  for (const [name, amount] of scalarResources) {
    sum.scalarResources.set(name, (sum.scalarResources.get(name) ?? 0) + sign * amount);
  }
}

export const milliValue = (quantity: Quantity): number => Number(scaledQuantityValue(quantity, -3));
export const wholeValue = (quantity: Quantity): number => Number(scaledQuantityValue(quantity));

/** (pkg/scheduler/util IsScalarResourceName) */
const isScalarResourceName = (name: string): boolean =>
  isExtendedResourceName(name) || isHugePageResourceName(name) || name.includes('kubernetes.io/') || name.startsWith('attachable-volumes-');
