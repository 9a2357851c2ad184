import type { Attributes } from '../../machinery/admission.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';

/** What selectors see of a write. */
export type SelectedWrite = Pick<Attributes, 'operation' | 'definition' | 'subresource' | 'namespace' | 'name' | 'object' | 'oldObject'>;

/**
 * Reports whether a selector selects the object or the old object. Objects without metadata, such as PodExecOptions,
 * match only the empty selector. (apiserver pkg/admission/plugin/webhook/predicates/object)
 */
export const matchesObject = (selector: LabelSelector, { object, oldObject }: SelectedWrite): boolean =>
  selector.isEmpty || selectsObject(selector, object) || selectsObject(selector, oldObject);

const selectsObject = (selector: LabelSelector, object: KubeObject | undefined): boolean =>
  object?.metadata !== undefined && selector.matches(object.metadata.labels ?? {});
