import type { Node } from '../../../generated/v1.35/core/v1/types.ts';

/** Labels, with the older labels that must have the same values. (labelReconcileInfo) */
const reconciled = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** Returns the missing labels of a node; undefined if there are none. (reconcileNodeLabels) */
export function missingLabels({ metadata: { labels = {} } }: Node): Record<string, string> | undefined {
  const missing = reconciled.filter(([label, older]) => labels[label] !== undefined && labels[older] !== labels[label]);
  if (missing.length === 0) return undefined;
  return Object.fromEntries(missing.map(([label, older]) => [older, labels[label] ?? '']));
}
