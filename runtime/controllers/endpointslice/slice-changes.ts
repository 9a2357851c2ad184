import type { Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { type AddressType, endpointKey, sameState } from './pod-endpoint.ts';
import { hasLabelsOf, newEndpointSlice, sliceLabels } from './slice-metadata.ts';

/** Slices to write. They are private copies. */
export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSlice[];
}

/** The desired endpoints with the same ports. */
export interface DesiredEndpoints {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** (--max-endpoints-per-slice) */
export const maxEndpointsPerSlice = 100;

/**
 * Packs endpoints into as few changed slices as possible. First, endpoints stay in their slices. Missing ones then fill
 * slices that change anyway, the fullest first. The rest goes into the one slice that it fills best, or into new
 * slices. (reconcileByPortMapping)
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

/** Removes the endpoints that the slice already has from the missing ones. */
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
    // hints stay until the endpoint changes
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

/** Returns the slice that would have the least room left after adding so many endpoints. (getSliceToFill) */
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
