import type { LabelSelector } from '../../../machinery/selectors/label-selector.ts';
import type { LabelGroup } from './label-group.ts';
import type { NodeInfo } from './node-info.ts';

/** The number of a group's pods on each node. */
type Counts = Map<NodeInfo, number>;

interface NamespaceGroups {
  readonly counts: Map<LabelGroup, Counts>;
  /** Groups by label, as `key=value`. */
  readonly byLabel: Map<string, Set<LabelGroup>>;
}

const none: Counts = new Map();

/**
 * The nodes of each group's pods. A count of the pods that a selector matches visits these groups instead of all nodes.
 * Updated with each pod that comes or goes.
 */
export class PodGroups {
  readonly #namespaces = new Map<string, NamespaceGroups>();

  /** Adds or removes a pod of a node. */
  change(group: LabelGroup, node: NodeInfo, by: 1 | -1): void {
    const counts = this.#countsOf(group);
    const count = (counts.get(node) ?? 0) + by;
    if (count > 0) counts.set(node, count);
    else if (counts.delete(node) && counts.size === 0) this.#remove(group);
  }

  /** Yields all groups that have pods. */
  *list(): Iterable<readonly [LabelGroup, ReadonlyMap<NodeInfo, number>]> {
    for (const { counts } of this.#namespaces.values()) yield* counts;
  }

  /**
   * Returns the number of a namespace's pods that a selector matches, by node. Pods that are being deleted do not
   * count.
   */
  count(namespace: string, selector: LabelSelector): ReadonlyMap<NodeInfo, number> {
    const groups = this.#namespaces.get(namespace);
    if (groups === undefined) return none;
    const matching: Counts[] = [];
    for (const group of candidates(groups, selector)) {
      const counts = group.isTerminating || !selector.matches(group.labels) ? undefined : groups.counts.get(group);
      if (counts !== undefined) matching.push(counts);
    }
    // most selectors match the pods of one template
    return matching.length > 1 ? sumOf(matching) : (matching[0] ?? none);
  }

  #countsOf(group: LabelGroup): Counts {
    const { namespace, labels } = group;
    let groups = this.#namespaces.get(namespace);
    if (groups === undefined) {
      groups = { counts: new Map(), byLabel: new Map() };
      this.#namespaces.set(namespace, groups);
    }
    let counts = groups.counts.get(group);
    if (counts === undefined) {
      counts = new Map();
      groups.counts.set(group, counts);
      for (const key of Object.keys(labels)) {
        const label = `${key}=${labels[key]}`;
        const others = groups.byLabel.get(label);
        if (others === undefined) groups.byLabel.set(label, new Set([group]));
        else others.add(group);
      }
    }
    return counts;
  }

  #remove(group: LabelGroup): void {
    const { namespace, labels } = group;
    const groups = this.#namespaces.get(namespace);
    if (groups === undefined) return;
    groups.counts.delete(group);
    if (groups.counts.size === 0) this.#namespaces.delete(namespace);
    for (const key of Object.keys(labels)) {
      const label = `${key}=${labels[key]}`;
      const others = groups.byLabel.get(label);
      if (others?.delete(group) && others.size === 0) groups.byLabel.delete(label);
    }
  }
}

function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = new Map();
  for (const counts of all) for (const [node, count] of counts) sum.set(node, (sum.get(node) ?? 0) + count);
  return sum;
}

/** Returns the groups with the rarest label that the selector requires. */
function candidates({ counts, byLabel }: NamespaceGroups, selector: LabelSelector): Iterable<LabelGroup> {
  let fewest: Set<LabelGroup> | undefined;
  for (const { key } of selector.requirements) {
    const value = selector.requiresExactMatch(key);
    if (value === undefined) continue;
    const groups = byLabel.get(`${key}=${value}`);
    if (groups === undefined) return [];
    if (fewest === undefined || groups.size < fewest.size) fewest = groups;
  }
  return fewest ?? counts.keys();
}
