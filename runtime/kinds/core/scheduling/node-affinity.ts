import type {
  Node,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  PreferredSchedulingTerm,
} from '../../../../generated/v1.35/core/v1/types.ts';
import { LabelMatcher } from '../../../machinery/selectors/label-matcher.ts';
import { type LabelOperator, type LabelRequirement, newRequirement } from '../../../machinery/selectors/label-requirement.ts';
import { SelectorError } from '../../../machinery/selectors/selector-error.ts';

/** The nodes that pods require or prefer. (component-helpers/scheduling/corev1/nodeaffinity) */

export type NodePredicate = (node: Node) => boolean;

const noLabels = {};
const everyNode: NodePredicate = () => true;

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);

/** Returns the predicate of a pod's spec.nodeSelector and required node affinity. (GetRequiredNodeAffinity) */
export function requiredNodeAffinity({ spec }: Pod): NodePredicate {
  const labels = Object.entries(spec?.nodeSelector ?? noLabels);
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const matchesTerms = required ? nodeSelectorMatcher(required) : undefined;
  if (labels.length === 0) return matchesTerms ?? everyNode;
  return (node) => {
    const { labels: has = noLabels as Readonly<Record<string, string>> } = node.metadata;
    for (const [key, value] of labels) if (!Object.hasOwn(has, key) || has[key] !== value) return false;
    return matchesTerms === undefined || matchesTerms(node);
  };
}

/**
 * Returns a predicate that is true if one of the terms matches. An empty or invalid term matches nothing.
 * (NewLazyErrorNodeSelector)
 */
export function nodeSelectorMatcher({ nodeSelectorTerms }: NodeSelector): NodePredicate {
  const terms = (nodeSelectorTerms ?? []).map(nodeSelectorTermMatcher).filter((term) => term !== undefined);
  return (node) => terms.some((matches) => matches(node));
}

/** Returns a function for the sum of the weights of the terms that match a node. (NewPreferredSchedulingTerms) */
export function preferredSchedulingScore(terms: readonly PreferredSchedulingTerm[]): (node: Node) => number {
  const weighted = terms.flatMap(({ weight, preference }) => {
    const matches = weight === 0 ? undefined : nodeSelectorTermMatcher(preference);
    return matches === undefined ? [] : [{ weight, matches }];
  });
  return (node) => {
    let score = 0;
    for (const { weight, matches } of weighted) if (matches(node)) score += weight;
    return score;
  };
}

/** Returns undefined for an empty or invalid term, which matches nothing. */
function nodeSelectorTermMatcher({ matchExpressions, matchFields }: NodeSelectorTerm): NodePredicate | undefined {
  if (!matchExpressions?.length && !matchFields?.length) return undefined;
  try {
    const labels = matchExpressions?.length ? new LabelMatcher(matchExpressions.map(labelRequirement)) : undefined;
    const fields = (matchFields ?? []).map(fieldPredicate);
    return (node) => (labels === undefined || labels.matches(node.metadata.labels ?? noLabels)) && fields.every((matches) => matches(node));
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** @throws SelectorError */
function labelRequirement({ key, operator, values }: NodeSelectorRequirement): LabelRequirement {
  const known = operators.get(operator);
  if (known === undefined) throw new SelectorError(`${operator} is not an operator`);
  return newRequirement(key, known, values);
}

/** The only field is metadata.name. @throws SelectorError */
function fieldPredicate({ key, operator, values }: NodeSelectorRequirement): NodePredicate {
  if (values?.length !== 1) throw new SelectorError('must have one element');
  const [value] = values;
  const read = ({ metadata }: Node): string => (key === 'metadata.name' ? (metadata.name ?? '') : '');
  if (operator === 'In') return (node) => read(node) === value;
  if (operator === 'NotIn') return (node) => read(node) !== value;
  throw new SelectorError(`${operator} is not an operator`);
}
