import type { Part } from '../object.ts';

/** A metav1.LabelSelector in the syntax of queries; "" if it matches everything. */
export function selectorText(selector: Part): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }: Part) => {
    switch (operator) {
      case 'In':
        return `${key} in (${values.join(',')})`;
      case 'NotIn':
        return `${key} notin (${values.join(',')})`;
      case 'Exists':
        return key;
      default:
        return `!${key}`;
    }
  });
  return [...equal, ...expressions].sort().join(',');
}
