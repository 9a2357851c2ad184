import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../../generated/v1.35/apps/v1/types.ts';
import type { Job } from '../../generated/v1.35/batch/v1/types.ts';
import type { PodSpec, ReplicationController, Service } from '../../generated/v1.35/core/v1/types.ts';
import type { LabelSelector } from '../../generated/v1.35/meta/v1/types.ts';
import type { Unvalidated } from '../machinery/unvalidated.ts';

/** Text of columns that several kinds share. (pkg/printers/internalversion/printers.go) */

export const maxPrintedItems = 3;

/** Formats a list as `a,b,c + 2 more...`. */
export const formatFirst = (items: readonly string[]): string =>
  items.length > maxPrintedItems
    ? `${items.slice(0, maxPrintedItems).join(',')} + ${items.length - maxPrintedItems} more...`
    : items.join(',');

export const containerNames = (spec: Unvalidated<PodSpec> | undefined): string =>
  (spec?.containers ?? []).map(({ name = '' }) => name).join(',');
export const containerImages = (spec: Unvalidated<PodSpec> | undefined): string =>
  (spec?.containers ?? []).map(({ image = '' }) => image).join(',');

type Workload = Unvalidated<DaemonSet | Deployment | Job | ReplicaSet | ReplicationController | StatefulSet>;

export const workloadContainers = ({ spec }: Workload): string => containerNames(spec?.template?.spec);
export const workloadImages = ({ spec }: Workload): string => containerImages(spec?.template?.spec);

type Labels = Readonly<Record<string, string>>;

/** Formats labels as `a=b,c=d`, sorted by key, or `<none>`. (apimachinery pkg/labels, FormatLabels) */
export const formatLabels = (labels: Labels | undefined): string =>
  Object.entries(labels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(',') || '<none>';

/** Formats a LabelSelector, with its requirements sorted by key. Returns undefined for an unknown operator. */
export function labelSelectorText(selector: Unvalidated<LabelSelector> | undefined): string | undefined {
  const requirements = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  for (const { key = '', operator, values } of selector?.matchExpressions ?? []) {
    const list = `(${[...(values ?? [])].sort().join(',')})`;
    if (operator === 'In') requirements.push({ key, text: `${key} in ${list}` });
    else if (operator === 'NotIn') requirements.push({ key, text: `${key} notin ${list}` });
    else if (operator === 'Exists') requirements.push({ key, text: key });
    else if (operator === 'DoesNotExist') requirements.push({ key, text: `!${key}` });
    else return undefined;
  }
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

/** (apimachinery pkg/apis/meta/v1/helpers.go, FormatLabelSelector) */
export const formatLabelSelector = (selector: Unvalidated<LabelSelector> | undefined): string =>
  (labelSelectorText(selector) ?? '<error>') || '<none>';

export const labelSelector = ({ spec }: Unvalidated<DaemonSet | Deployment | Job | ReplicaSet | StatefulSet>): string =>
  formatLabelSelector(spec?.selector);
export const mapSelector = ({ spec }: Unvalidated<ReplicationController | Service>): string => formatLabels(spec?.selector);
