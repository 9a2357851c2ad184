import type { NodeInfo } from '../framework/node-info.ts';

/**
 * Counts by topology domain: the key and value of a node label. (plugins/interpodaffinity topologyToMatchedTermCount)
 */
export class AffinityCounts {
  readonly #topologies = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#topologies.size === 0;
  }

  /** Adds to the node's domain. Ignores nodes without the label. */
  add({ labels }: NodeInfo, topologyKey: string, count: number): void {
    const value = Object.hasOwn(labels, topologyKey) ? labels[topologyKey] : undefined;
    if (value === undefined) return;
    const domains = this.#topologies.get(topologyKey);
    if (domains === undefined) {
      this.#topologies.set(topologyKey, new Map([[value, count]]));
      return;
    }
    const sum = (domains.get(value) ?? 0) + count;
    if (sum !== 0) domains.set(value, sum);
    else if (domains.delete(value) && domains.size === 0) this.#topologies.delete(topologyKey);
  }

  of({ labels }: NodeInfo, topologyKey: string): number {
    return this.#topologies.get(topologyKey)?.get(labels[topologyKey] ?? '') ?? 0;
  }

  /** Returns the sum over all domains of the node. */
  sumOf({ labels }: NodeInfo): number {
    let sum = 0;
    for (const [key, domains] of this.#topologies) sum += domains.get(labels[key] ?? '') ?? 0;
    return sum;
  }

  clone(): AffinityCounts {
    const copy = new AffinityCounts();
    for (const [key, domains] of this.#topologies) copy.#topologies.set(key, new Map(domains));
    return copy;
  }
}
