import { elementAt } from '../../../machinery/collections/element-at.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Nodes } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { countPods, hasAllTopologies, type TopologySpreadConstraint } from './topology-spread-constraint.ts';

/** The number of matching pods by constraint and domain. (plugins/podtopologyspread/filtering.go preFilterState) */
export class SpreadCounts {
  readonly constraints: readonly TopologySpreadConstraint[];
  readonly #namespace: string;
  /** Counts by value of the topology label. */
  readonly #counts: readonly Map<string, number>[];
  readonly #least: (number | undefined)[] = [];

  private constructor(constraints: readonly TopologySpreadConstraint[], namespace: string, counts: readonly Map<string, number>[]) {
    this.constraints = constraints;
    this.#namespace = namespace;
    this.#counts = counts;
  }

  static of(constraints: readonly TopologySpreadConstraint[], { namespace }: PodInfo, nodes: Nodes): SpreadCounts {
    const counts = constraints.map(() => new Map<string, number>());
    const pods = constraints.map((constraint) => countPods(nodes, constraint, namespace));
    for (const node of nodes.list()) {
      if (!hasAllTopologies(node, constraints)) continue;
      for (const [i, constraint] of constraints.entries()) {
        if (constraint.includes?.(node) === false) continue;
        const value = node.labels[constraint.topologyKey] ?? '';
        const known = elementAt(counts, i);
        known.set(value, (known.get(value) ?? 0) + (pods[i]?.get(node) ?? 0));
      }
    }
    return new SpreadCounts(constraints, namespace, counts);
  }

  of(index: number, domain: string): number {
    return this.#counts[index]?.get(domain) ?? 0;
  }

  /** Returns the count of the domain with the fewest pods; 0 if there are too few domains. (minMatchNum) */
  least(index: number): number {
    const known = this.#least[index];
    if (known !== undefined) return known;
    const counts = elementAt(this.#counts, index);
    let least = counts.size < elementAt(this.constraints, index).minDomains ? 0 : Number.MAX_SAFE_INTEGER;
    for (const count of counts.values()) if (count < least) least = count;
    this.#least[index] = least;
    return least;
  }

  /** Adds or removes a pod of a node. (updateWithPod) */
  update({ namespace, group }: PodInfo, node: NodeInfo, by: 1 | -1): void {
    if (namespace !== this.#namespace || !hasAllTopologies(node, this.constraints)) return;
    for (const [index, constraint] of this.constraints.entries()) {
      if (!constraint.selector.matches(group.labels) || constraint.includes?.(node) === false) continue;
      const value = node.labels[constraint.topologyKey] ?? '';
      this.#counts[index]?.set(value, this.of(index, value) + by);
      this.#least[index] = undefined;
    }
  }

  clone(): SpreadCounts {
    return new SpreadCounts(
      this.constraints,
      this.#namespace,
      this.#counts.map((counts) => new Map(counts)),
    );
  }
}
