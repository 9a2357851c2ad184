import type { Node, NodeSelectorTerm } from '../../../../generated/v1.35/core/v1/types.ts';
import { preferredSchedulingScore, requiredNodeAffinity } from '../../../kinds/core/scheduling/node-affinity.ts';
import type { EventObjects } from '../framework/cluster-event.ts';
import { defaultNormalizeScore, type FilterPlugin, type ScorePlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { unresolvable } from '../framework/status.ts';

const name = 'NodeAffinity';
export const wrongAffinity = "node(s) didn't match Pod's node affinity/selector";
const status = unresolvable(name, wrongAffinity);
const conflict = unresolvable(name, 'pod affinity terms conflict');

function becameWanted({ pod }: PodInfo, { before, after }: EventObjects): boolean {
  const matches = requiredNodeAffinity(pod);
  return matches(after as Node) && !(before && matches(before as Node));
}

/** spec.nodeSelector and the node affinity. (plugins/nodeaffinity) */
export const nodeAffinity: FilterPlugin & ScorePlugin = {
  name,
  hints: { NodeAdd: becameWanted, NodeLabel: becameWanted },
  weight: 2,
  preFilter({ pod }) {
    const { affinity, nodeSelector } = pod.spec ?? {};
    const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    if (!required && !nodeSelector) return undefined;
    const matches = requiredNodeAffinity(pod);
    const nodeNames = namedNodes(required?.nodeSelectorTerms ?? []);
    if (nodeNames?.size === 0) return conflict;
    return { nodeNames, filter: ({ node }) => (node && matches(node) ? undefined : status) };
  },
  preScore({ pod }) {
    const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
    if (!preferred) return undefined;
    const scoreOf = preferredSchedulingScore(preferred);
    return {
      score: ({ node }) => (node ? scoreOf(node) : 0),
      normalize: (scores) => defaultNormalizeScore(scores, false),
    };
  },
};

/** Returns the nodes that the terms select by name; undefined if a term does not select by name. */
function namedNodes(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const lists = matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (lists.length === 0) return undefined;
    const [first = new Set<string>(), ...others] = lists.map(({ values = [] }) => new Set(values));
    for (const one of first) if (others.every((other) => other.has(one))) names.add(one);
  }
  return names;
}
