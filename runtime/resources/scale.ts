import { memberAt } from '../machinery/json/member-path.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../machinery/resource.ts';
import { type LabelSelectorObject, labelSelectorFromObject } from '../machinery/selectors/label-selector.ts';

/** The paths of the replicas and the selector in the objects of a resource. */
export type ScalePaths = NonNullable<SubresourceDefinition['scale']>;

/** Returns undefined if the resource has no subresource scale. */
export const scalePathsOf = ({ subresources }: ResourceDefinition): ScalePaths | undefined =>
  subresources.find(({ name }) => name === 'scale')?.scale;

/** The desired number of pods, the current number, and their selector. (autoscaling/v1 Scale) */
export interface ObjectScale {
  readonly specReplicas: number;
  readonly statusReplicas: number;
  /** In query form; "" if the object has no selector. */
  readonly selector: string;
}

/**
 * Returns the scale of an object. Missing numbers are 0.
 *
 * @throws SelectorError if the selector is invalid
 */
export const scaleOf = (object: KubeObject, paths: ScalePaths): ObjectScale => ({
  specReplicas: Number(memberAt(object, paths.specReplicas) ?? 0),
  statusReplicas: Number(memberAt(object, paths.statusReplicas) ?? 0),
  selector: paths.selector === undefined ? '' : selectorText(memberAt(object, paths.selector) ?? {}),
});

/** @param selector a LabelSelector, a map of labels as in replication controllers, or a selector in query form */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return '';
  const labelSelector = isLabelSelector(selector) ? selector : { matchLabels: selector as Record<string, string> };
  return labelSelectorFromObject(labelSelector).toString();
}

const isLabelSelector = (selector: object): selector is LabelSelectorObject =>
  Object.hasOwn(selector, 'matchLabels') || Object.hasOwn(selector, 'matchExpressions');
