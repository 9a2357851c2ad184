import type { NodeCondition } from '../../../generated/v1.35/core/v1/types.ts';

/** The nodes per second in a zone whose pods are evicted. (--node-eviction-rate) */
export const evictionRate = 0.1;
/** The rate in a large zone with many unready nodes. (--secondary-node-eviction-rate) */
const secondaryEvictionRate = 0.01;
/**
 * The size above which a zone is large. A smaller zone with many unready nodes stops evictions.
 * (--large-cluster-size-threshold)
 */
const largeZone = 50;
/** (--unhealthy-zone-threshold) */
const unhealthyShare = 0.55;

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';
type ReadyConditions = readonly (NodeCondition | undefined)[];

/** (ComputeZoneState) */
export function stateOfZone(ready: ReadyConditions): ZoneState {
  const unhealthy = ready.filter((condition) => condition?.status !== 'True').length;
  if (unhealthy === ready.length) return 'FullDisruption';
  return unhealthy > 2 && unhealthy / ready.length >= unhealthyShare ? 'PartialDisruption' : 'Normal';
}

/** The effect of all zones' states on the eviction rates. */
export interface Disruption {
  /** `begins` and `ends` refer to the state in which no node of any zone is ready. */
  readonly ofAll: 'begins' | 'ends' | 'no' | 'lasts';
  /** The changed rates by zone. */
  readonly rates: ReadonlyMap<string, number>;
}

/** The states of zones, derived from the number of ready nodes. (handleDisruption) */
export class ZoneStates {
  readonly #states = new Map<string, ZoneState>();

  /** Updates the states from the nodes of each zone. */
  update(zones: ReadonlyMap<string, ReadyConditions>): Disruption {
    const states = new Map([...zones].map(([zone, ready]) => [zone, stateOfZone(ready)]));
    for (const zone of states.keys()) if (!this.#states.has(zone)) this.#states.set(zone, 'Initial');
    for (const zone of [...this.#states.keys()]) if (!states.has(zone)) this.#states.delete(zone);
    const isFull = (state: ZoneState): boolean => state === 'FullDisruption';
    const are = [...states.values()].every(isFull);
    const were = [...this.#states.values()].every(isFull);
    if (are && were) return { ofAll: 'lasts', rates: new Map() };
    const rates = new Map<string, number>();
    for (const [zone, state] of states) {
      if (are) rates.set(zone, 0);
      else if (were || state !== this.#states.get(zone)) rates.set(zone, rateOf(state, zones.get(zone)?.length ?? 0));
      this.#states.set(zone, state);
    }
    return { ofAll: are ? 'begins' : were ? 'ends' : 'no', rates };
  }
}

/** (setLimiterInZone, ReducedQPSFunc) */
function rateOf(state: ZoneState, size: number): number {
  if (state !== 'PartialDisruption') return evictionRate;
  return size > largeZone ? secondaryEvictionRate : 0;
}
