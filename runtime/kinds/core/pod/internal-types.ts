import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { GoStruct } from '../../../machinery/go/value.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { ReleaseRules } from '../../../machinery/validation/rule-changes.ts';
import { internal, internalDiff, internalStruct } from '../../validation/internal-value.ts';
import { shownLabels } from '../../validation/labels.ts';
import { ephemeralContainer } from './internal-containers.ts';
import { nodeSelectorTerm, podResourceClaim, podSpecOf } from './internal-spec.ts';

/** Values as Go shows them in messages. (pkg/apis/core/types.go) */

type PodSpec = Unvalidated<core.PodSpec>;
type EphemeralContainer = Unvalidated<core.EphemeralContainer>;

export const internalNodeSelectorTerm = (term: Unvalidated<core.NodeSelectorTerm>): GoStruct => internalStruct(term, nodeSelectorTerm);

/** Returns null for an empty list. */
export const internalNodeSelectorTerms = (terms: readonly Unvalidated<core.NodeSelectorTerm>[]): GoStruct | null =>
  terms.length === 0 ? null : new GoStruct(() => Object(internal(terms, nodeSelectorTerm)));

export const internalPodResourceClaim = (claim: Unvalidated<core.PodResourceClaim>): GoStruct => internalStruct(claim, podResourceClaim);

/** Returns the changes of a pod's spec for a message. Go has the fields for sharing with the host in another struct. */
export const podSpecDiff = (old: PodSpec, spec: PodSpec, rules: ReleaseRules): string =>
  internalDiff(withHostFields(old), withHostFields(spec), podSpecOf(rules));

/** Unlike the spec, the embedded metadata has JSON names. */
export const internalPodTemplate = ({ metadata, spec = {} }: Unvalidated<core.PodTemplateSpec>, rules: ReleaseRules): GoStruct =>
  new GoStruct(() => ({
    ...metadata,
    ...(metadata?.labels ? { labels: shownLabels(metadata.labels) } : {}),
    ...(metadata?.annotations ? { annotations: shownLabels(metadata.annotations) } : {}),
    Spec: internal(withHostFields(spec), podSpecOf(rules)),
  }));

function withHostFields(spec: PodSpec): PodSpec {
  const { hostNetwork, hostPID, hostIPC, hostUsers, shareProcessNamespace, securityContext } = spec;
  const shared = { hostNetwork, hostPID, hostIPC, hostUsers, shareProcessNamespace };
  return { ...spec, securityContext: { ...securityContext, ...shared } };
}

export const ephemeralContainerDiff = (old: EphemeralContainer, container: EphemeralContainer): string =>
  internalDiff(old, container, ephemeralContainer);

/** The items of podIPs or hostIPs as Go shows them. */
export const internalIPs = (ips: readonly Unvalidated<core.PodIP>[]): GoStruct => new GoStruct(() => Object(internal(ips, { ip: '' })));
