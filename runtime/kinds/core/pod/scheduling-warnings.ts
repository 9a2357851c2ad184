import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { addNodeSelectorTermWarnings, nodeLabelWarning } from '../node-selector.ts';
import { preferredTerms as preferred, requiredTerms as required } from './affinity.ts';

type PodSpec = Unvalidated<core.PodSpec>;

const matchesNothing = 'a null labelSelector results in matching no pod';

/**
 * Warns about node selectors, node affinity and topology spread constraints. (pkg/api/pod/warnings.go)
 *
 * @param path of the spec
 */
export function addNodeSelectionWarnings(spec: PodSpec, path: string, warnings: string[]): void {
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const why = nodeLabelWarning(key);
    if (why !== undefined) warnings.push(`${path}.nodeSelector[${key}]: ${why}`);
  }
  const nodes = spec.affinity?.nodeAffinity;
  for (const [index, term] of (nodes?.[required]?.nodeSelectorTerms ?? []).entries()) {
    const at = `${path}.affinity.nodeAffinity.${required}.nodeSelectorTerms[${index}]`;
    addNodeSelectorTermWarnings(term, at, false, warnings);
  }
  for (const [index, { preference }] of (nodes?.[preferred] ?? []).entries()) {
    const at = `${path}.affinity.nodeAffinity.${preferred}[${index}].preference`;
    addNodeSelectorTermWarnings(preference, at, true, warnings);
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const why = nodeLabelWarning(topologyKey ?? '');
    if (why !== undefined) warnings.push(`${at}.topologyKey: ${topologyKey} is ${why}`);
    if (!labelSelector) warnings.push(`${at}.labelSelector: ${matchesNothing}`);
  }
}

/** (warningsForPodAffinityTerms, warningsForWeightedPodAffinityTerms) */
export function addPodAffinityWarnings(spec: PodSpec, path: string, warnings: string[]): void {
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const affinity = spec.affinity?.[kind];
    for (const [index, { labelSelector }] of (affinity?.[required] ?? []).entries()) {
      if (labelSelector) continue;
      warnings.push(`${path}.affinity.${kind}.${required}[${index}].labelSelector: ${matchesNothing}`);
    }
    for (const [index, { podAffinityTerm }] of (affinity?.[preferred] ?? []).entries()) {
      if (podAffinityTerm?.labelSelector) continue;
      const at = `${path}.affinity.${kind}.${preferred}[${index}].podAffinityTerm.labelSelector`;
      warnings.push(`${at}: ${matchesNothing}`);
    }
  }
}
