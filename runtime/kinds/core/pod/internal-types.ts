import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { GoStruct } from '../../../machinery/go/value.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { internal, internalStruct, type Shape } from '../../validation/internal-value.ts';

/** Values as Go shows them in messages. (pkg/apis/core/types.go) */

const nodeSelectorRequirement: Shape = { key: '', operator: '', values: null };
const nodeSelectorTerm: Shape = { matchExpressions: nodeSelectorRequirement, matchFields: nodeSelectorRequirement };

export const internalNodeSelectorTerm = (term: Unvalidated<core.NodeSelectorTerm>): GoStruct =>
  internalStruct(term, nodeSelectorTerm);

/** null for an empty list. */
export const internalNodeSelectorTerms = (terms: readonly Unvalidated<core.NodeSelectorTerm>[]): GoStruct | null =>
  terms.length === 0 ? null : new GoStruct(() => Object(internal(terms, nodeSelectorTerm)));

export const internalPodResourceClaim = (claim: Unvalidated<core.PodResourceClaim>): GoStruct =>
  internalStruct(claim, { name: '', resourceClaimName: null, resourceClaimTemplateName: null });

/** Of podIPs and hostIPs. */
export const internalIPs = (ips: readonly Unvalidated<core.PodIP>[]): GoStruct =>
  new GoStruct(() => Object(internal(ips, { ip: '' })));
