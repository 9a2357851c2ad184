import type { LabelSelectorObject } from '../selectors/label-selector.ts';

/** Formats a label selector as Go prints the struct. (LabelSelector.String) */
export function goLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const labels = Object.keys(matchLabels).sort();
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return [
    '&LabelSelector{MatchLabels:map[string]string{',
    ...labels.map((key) => `${key}: ${matchLabels[key]},`),
    '},MatchExpressions:[]LabelSelectorRequirement{',
    ...expressions,
    '},}',
  ].join('');
}
