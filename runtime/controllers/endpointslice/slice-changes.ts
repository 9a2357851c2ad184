import type { Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { type AddressType, endpointKey, sameState } from './pod-endpoint.ts';
import { hasLabelsOf, newEndpointSlice, sliceLabels } from './slice-metadata.ts';

/** Slices that have to be written. None of them is shared with anybody. */
export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSlice[];
}

/** The endpoints that have the same ports, as they should be. */
export interface DesiredEndpoints {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** (--max-endpoints-per-slice) */
export const maxEndpointsPerSlice = 100;

/**
 * Puts endpoints into as few changed slices as possible: first, endpoints stay where they are; what is left fills slices that
 * change anyway, the fullest first; then the rest goes into the one slice that it fills best, or into new ones.
 * (reconcileByPortMapping)
 */
export function packSlices(service: Service, existing: readonly EndpointSlice[], desired: DesiredEndpoints): SliceChanges {
  const missing = new Map(desired.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const changes: SliceChanges = { create: [], update: [], delete: [] };
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const { kept, hasChanged } = keepDesired(slice, missing);
    const areEndpointsChanged = hasChanged || kept.length !== slice.endpoints.length;
    if (areEndpointsChanged && kept.length === 0) changes.delete.push(slice);
    else if (areEndpointsChanged || !hasLabelsOf(slice, service)) {
      changes.update.push(changedSlice(slice, sliceLabels(service), kept));
    } else unchanged.push(slice);
  }
  for (const slice of changes.update.sort((a, b) => b.endpoints.length - a.endpoints.length)) fill(slice, missing);
  while (missing.size > 0) {
    const open = missing.size < maxEndpointsPerSlice ? sliceToFill(unchanged, missing.size) : undefined;
    const slice = open
      ? changedSlice(open, { ...open.metadata.labels }, open.endpoints)
      : newEndpointSlice(service, desired.addressType, desired.ports);
    fill(slice, missing);
    if (open === undefined) changes.create.push(slice);
    else {
      unchanged.splice(unchanged.indexOf(open), 1);
      changes.update.push(slice);
    }
  }
  return changes;
}

/** Takes the endpoints that the slice has already from those that are missing. */
function keepDesired(
  { endpoints }: EndpointSlice,
  missing: Map<string, Endpoint>,
): { readonly kept: Endpoint[]; readonly hasChanged: boolean } {
  const kept: Endpoint[] = [];
  let hasChanged = false;
  for (const endpoint of endpoints) {
    const key = endpointKey(endpoint);
    const wanted = missing.get(key);
    if (wanted === undefined) continue;
    missing.delete(key);
    const isSame = sameState(endpoint, wanted);
    // hints stay as they are until the endpoint changes
    kept.push(isSame ? endpoint : wanted);
    hasChanged ||= !isSame;
  }
  return { kept, hasChanged };
}

function changedSlice(slice: EndpointSlice, labels: Record<string, string>, endpoints: readonly Endpoint[]): EndpointSlice {
  const { metadata, ...others } = structuredClone({ ...slice, endpoints: [...endpoints] });
  return { ...others, metadata: { ...metadata, labels } };
}

function fill({ endpoints }: EndpointSlice, missing: Map<string, Endpoint>): void {
  for (const [key, endpoint] of missing) {
    if (endpoints.length >= maxEndpointsPerSlice) return;
    endpoints.push(endpoint);
    missing.delete(key);
  }
}

/** The slice that has the least room left with so many more endpoints. (getSliceToFill) */
function sliceToFill(slices: readonly EndpointSlice[], count: number): EndpointSlice | undefined {
  let best: EndpointSlice | undefined;
  let leastRoom = maxEndpointsPerSlice;
  for (const slice of slices) {
    const room = maxEndpointsPerSlice - (count + slice.endpoints.length);
    if (room < 0 || room >= leastRoom) continue;
    leastRoom = room;
    best = slice;
  }
  return best;
}
