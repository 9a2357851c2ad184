import { parseGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  parseLabelSelector,
} from '../../machinery/selectors/label-selector.ts';

interface KindReference {
  /** The version in which objects are read: `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object, by its name. */
export interface NamedReference extends KindReference {
  /** Default for namespaced kinds: `default`. */
  readonly namespace?: string;
  readonly name: string;
}

/** One object, as a client sent or received it. */
export interface ObjectLike {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}

/** All objects that a selector selects. */
export interface SelectingReference extends KindReference {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** A selector in the notation of queries, `app=web,tier!=db`, or of a Deployment's spec. "" selects everything. */
  readonly labelSelector: string | LabelSelectorObject;
}

export type ObjectReference = NamedReference | ObjectLike | SelectingReference;

/** The objects of a reference. */
export interface ReferredObjects {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined for all namespaces, or with a name for the default one. */
  readonly namespace: string | undefined;
  /** Undefined for all names. */
  readonly name: string | undefined;
  readonly selector: LabelSelector | undefined;
}

/** @throws Error for an incomplete reference; SelectorError */
export function referredObjects(reference: ObjectReference): ReferredObjects {
  const { apiVersion, kind } = reference;
  const groupVersion = apiVersion === undefined ? undefined : parseGroupVersion(apiVersion);
  if (groupVersion === undefined || !kind) throw incomplete(reference, 'an apiVersion and a kind');
  if ('labelSelector' in reference) {
    const { labelSelector, namespace } = reference;
    const selector = typeof labelSelector === 'string' ? parseLabelSelector(labelSelector) : labelSelectorFromObject(labelSelector);
    return { ...groupVersion, kind, namespace, name: undefined, selector };
  }
  const { name, namespace } = 'metadata' in reference ? reference.metadata : reference;
  if (!name) throw incomplete(reference, 'a name');
  return { ...groupVersion, kind, namespace, name, selector: undefined };
}

const incomplete = (reference: unknown, lacking: string): Error =>
  new Error(`a reference to an object needs ${lacking}: ${JSON.stringify(reference)}`);

/** Returns a text for messages: `Deployment default/web`, `Pods of default with app=web`. */
export function describeReferred({ kind, namespace, name, selector }: ReferredObjects): string {
  if (name !== undefined) return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
  const labels = selector?.isEmpty === false ? ` with ${selector}` : '';
  return `every ${kind}${namespace === undefined ? '' : ` of ${namespace}`}${labels}`;
}

/** Returns a text for messages: `default/web`. */
export const nameOf = ({ metadata: { namespace, name = '' } }: KubeObject): string => (namespace ? `${namespace}/${name}` : name);
