import type { Service } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointHints, EndpointSlice } from '../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { SliceChanges } from './slice-changes.ts';

/** Hints for clients that prefer nearby endpoints. (endpointslice trafficdist) */

/** A service's preference for nearby endpoints: by zone, by zone and node, or none. */
export type TrafficDistribution = 'zone' | 'node' | undefined;

export function trafficDistributionOf({ spec }: Service): TrafficDistribution {
  const { trafficDistribution } = spec ?? {};
  if (trafficDistribution === 'PreferSameNode') return 'node';
  return trafficDistribution === 'PreferClose' || trafficDistribution === 'PreferSameZone' ? 'zone' : undefined;
}

/** Sets the hints of slices to be written, and adds slices whose only change is their hints. */
export function reconcileHints(changes: SliceChanges, unchanged: readonly EndpointSlice[], distribution: TrafficDistribution): void {
  for (const slice of unchanged) {
    if (slice.endpoints.some((endpoint) => !semanticDeepEqual(endpoint.hints, hintsOf(endpoint, distribution)))) {
      changes.update.push(structuredClone(slice));
    }
  }
  for (const slice of [...changes.create, ...changes.update]) {
    slice.endpoints = slice.endpoints.map((endpoint) => {
      const { hints: _, ...others } = endpoint;
      const hints = hintsOf(endpoint, distribution);
      return hints === undefined ? others : { ...others, hints };
    });
  }
}

/** Returns the hints of an endpoint. Endpoints that are not ready keep existing hints. */
function hintsOf(endpoint: Endpoint, distribution: TrafficDistribution): EndpointHints | undefined {
  const { zone, nodeName, conditions, hints } = endpoint;
  if (distribution === undefined) return undefined;
  if (!conditions?.ready) return hints;
  const forZones = zone ? { forZones: [{ name: zone }] } : undefined;
  const forNodes = nodeName && distribution === 'node' ? { forNodes: [{ name: nodeName }] } : undefined;
  return forZones || forNodes ? { ...forZones, ...forNodes } : undefined;
}
