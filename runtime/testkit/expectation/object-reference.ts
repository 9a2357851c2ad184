import { parseGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject, ObjectMeta } from '../../machinery/object.ts';
import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  parseLabelSelector,
} from '../../machinery/selectors/label-selector.ts';

interface KindReference {
  /** As `v1`, `apps/v1`: the version in which objects are read. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** One object, by its name. */
export interface NamedReference extends KindReference {
  /** Default, for kinds in namespaces: `default`. */
  readonly namespace?: string;
  readonly name: string;
}

/** One object, as a client returns it or as it was sent. */
export interface ObjectLike {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace'>;
}

/** All objects that a selector selects. */
export interface SelectingReference extends KindReference {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** As in a query, `app=web,tier!=db`, or as in the spec of a Deployment. "" selects everything. */
  readonly labelSelector: string | LabelSelectorObject;
}

export type ObjectReference = NamedReference | ObjectLike | SelectingReference;

/** What a reference refers to. */
export interface ReferredObjects {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent for all namespaces, or for the default one if there is a name. */
  readonly namespace: string | undefined;
  /** Absent for all names. */
  readonly name: string | undefined;
  readonly selector: LabelSelector | undefined;
}

/** @throws Error if the reference lacks something; SelectorError */
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

/** For messages: `Deployment default/web`, `Pods of default with app=web`. */
export function describeReferred({ kind, namespace, name, selector }: ReferredObjects): string {
  if (name !== undefined) return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
  const labels = selector?.isEmpty === false ? ` with ${selector}` : '';
  return `every ${kind}${namespace === undefined ? '' : ` of ${namespace}`}${labels}`;
}

/** For messages: `default/web`. */
export const nameOf = ({ metadata: { namespace, name = '' } }: KubeObject): string => (namespace ? `${namespace}/${name}` : name);
