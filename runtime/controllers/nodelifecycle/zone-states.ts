import type { NodeCondition } from '../../../generated/v1.35/core/v1/types.ts';

/** Nodes per second that lose their pods, in a zone. (--node-eviction-rate) */
export const evictionRate = 0.1;
/** The same in a large zone with many nodes that are not ready. (--secondary-node-eviction-rate) */
const secondaryEvictionRate = 0.01;
/** Smaller zones with many nodes that are not ready stop. (--large-cluster-size-threshold) */
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

/** What the states of all zones mean for the rates at which nodes lose their pods. */
export interface Disruption {
  /** `ends` and `begins`: that no node of any zone is ready. */
  readonly ofAll: 'begins' | 'ends' | 'no' | 'lasts';
  /** The rates that change, by zone. */
  readonly rates: ReadonlyMap<string, number>;
}

/** How many nodes of each zone are ready. (handleDisruption) */
export class ZoneStates {
  readonly #states = new Map<string, ZoneState>();

  /** Takes note of the nodes of each zone. */
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
