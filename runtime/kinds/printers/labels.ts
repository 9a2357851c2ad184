import type { KubeObject, Part } from '../../machinery/object.ts';

/** `a=b,c=d` by name; `<none>` for no labels. (apimachinery pkg/labels, FormatLabels) */
export function formatLabels(labels: Part): string {
  const text = joinLabels(labels);
  return text === '' ? '<none>' : text;
}

const joinLabels = (labels: Part): string =>
  Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${labels[key]}`)
    .join(',');

/** A metav1.LabelSelector as its text form, requirements by key; undefined where an operator is unknown. */
export function selectorText(selector: Part): string | undefined {
  const requirements: [key: string, text: string][] = Object.keys(selector?.matchLabels ?? {}).map((key) => [
    key,
    `${key}=${selector.matchLabels[key]}`,
  ]);
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    const list = `(${[...(values ?? [])].sort().join(',')})`;
    if (operator === 'In') requirements.push([key, `${key} in ${list}`]);
    else if (operator === 'NotIn') requirements.push([key, `${key} notin ${list}`]);
    else if (operator === 'Exists') requirements.push([key, key]);
    else if (operator === 'DoesNotExist') requirements.push([key, `!${key}`]);
    else return undefined;
  }
  return requirements
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}

/** (apimachinery pkg/apis/meta/v1/helpers.go, FormatLabelSelector) */
export const formatLabelSelector = (selector: Part): string => {
  const text = selectorText(selector);
  return text === undefined ? '<error>' : text === '' ? '<none>' : text;
};

export const labelSelector = (object: KubeObject): string => formatLabelSelector(object.spec?.selector);
export const mapSelector = (object: KubeObject): string => formatLabels(object.spec?.selector);
