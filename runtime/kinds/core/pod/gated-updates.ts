import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { elementAt } from '../../../machinery/collections/element-at.ts';
import { defined, setOrDelete } from '../../../machinery/json/defined.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { memberOf } from '../../../machinery/json/values.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { requiredTerms } from './affinity.ts';
import { internalNodeSelectorTerm, internalNodeSelectorTerms } from './internal-types.ts';

/** The nodes of a pod with scheduling gates can only become fewer. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;
type NodeAffinity = Unvalidated<core.NodeAffinity>;
type NodeSelectorTerm = Unvalidated<core.NodeSelectorTerm>;

/** Checks the changes of the node selection, and returns the spec with the old selection. (ValidatePodUpdate) */
export function withOldNodeSelection(spec: PodSpec, old: PodSpec, field: Field): PodSpec {
  const munged: PodSpec = { ...spec };
  if (!equalJson(spec.nodeSelector, old.nodeSelector)) {
    validateNodeSelectorMutation(spec.nodeSelector, old.nodeSelector, field.child('nodeSelector'));
    setOrDelete(munged, 'nodeSelector', old.nodeSelector);
  }
  const nodeAffinity = spec.affinity?.nodeAffinity;
  const oldNodeAffinity = old.affinity?.nodeAffinity;
  if (equalJson(nodeAffinity, oldNodeAffinity)) return munged;
  validateNodeAffinityMutation(nodeAffinity, oldNodeAffinity, field.child('affinity', 'nodeAffinity'));
  munged.affinity = defined({ ...spec.affinity, nodeAffinity: oldNodeAffinity });
  if (old.affinity === undefined && !spec.affinity?.podAffinity && !spec.affinity?.podAntiAffinity) delete munged.affinity;
  return munged;
}

type NodeSelector = Readonly<Record<string, string>>;

/** (validateNodeSelectorMutation) */
function validateNodeSelectorMutation(now: NodeSelector = {}, old: NodeSelector = {}, field: Field): void {
  if (Object.entries(old).every(([key, value]) => memberOf(now, key) === value)) return;
  field.invalid(Object.keys(now).length === 0 ? null : now, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)');
}

/** (validateNodeAffinityMutation) */
function validateNodeAffinityMutation(now: NodeAffinity | undefined, old: NodeAffinity | undefined, field: Field): void {
  const oldTerms = old?.[requiredTerms]?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return;
  const terms = now?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const at = field.child(requiredTerms, 'nodeSelectorTerms');
  if (terms.length !== oldTerms.length) {
    at.invalid(internalNodeSelectorTerms(terms), 'no additions/deletions to non-empty NodeSelectorTerms list are allowed');
    return;
  }
  for (const [index, oldTerm] of oldTerms.entries()) {
    const term = elementAt(terms, index);
    if (hasOnlyAdditions(term, oldTerm)) continue;
    at.index(index).invalid(internalNodeSelectorTerm(term), 'only additions are allowed (no mutations or deletions)');
  }
}

/** (validateNodeSelectorTermHasOnlyAdditions) */
function hasOnlyAdditions(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  const isEmpty = (one: NodeSelectorTerm): boolean => lists.every((list) => !one[list]?.length);
  if (isEmpty(old)) return isEmpty(term);
  return lists.every((list) => equalJson((term[list] ?? []).slice(0, old[list]?.length ?? 0), old[list] ?? []));
}
