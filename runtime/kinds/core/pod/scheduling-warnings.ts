import type { Part } from '../../../machinery/object.ts';
import { addNodeSelectorTermWarnings, nodeLabelWarning } from '../node-selector.ts';

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const matchesNothing = 'a null labelSelector results in matching no pod';

/** Which nodes a pod asks for, and how it wants to be spread over them. `path` is that of the pod's spec. */
export function addNodeSelectionWarnings(spec: Part, path: string, warnings: string[]): void {
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
    const why = nodeLabelWarning(topologyKey);
    if (why !== undefined) warnings.push(`${at}.topologyKey: ${topologyKey} is ${why}`);
    if (!labelSelector) warnings.push(`${at}.labelSelector: ${matchesNothing}`);
  }
}

/** Which pods it wants near, and which not. */
export function addPodAffinityWarnings(spec: Part, path: string, warnings: string[]): void {
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
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
