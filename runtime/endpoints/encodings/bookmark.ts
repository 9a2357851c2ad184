import { formatGroupVersion } from '../../machinery/gvk.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { withoutType } from './versioned.ts';

/** The annotation of the bookmark after the initial events. (metav1.InitialEventsAnnotationKey) */
const initialEventsAnnotation = 'k8s.io/initial-events-end';

/** A watch event that says that the watch has sent all changes up to a revision. */
export interface Bookmark {
  readonly revision: number;
  /** Whether the bookmark follows the initial events of the watch. */
  readonly endsInitialEvents: boolean;
  /** An object of the kind without members, as a client reads it. */
  readonly emptyObject: KubeObject;
}

/** Returns the object of a bookmark: an empty object of the kind with a resourceVersion. */
export function bookmarkObject(definition: ResourceDefinition, { revision, endsInitialEvents, emptyObject }: Bookmark): KubeObject {
  const { metadata, ...rest } = withoutType(definition.type.prune(emptyObject, new PruneContext()));
  const { annotations: own, ...named } = metadata;
  const annotations = endsInitialEvents ? { ...own, [initialEventsAnnotation]: 'true' } : own;
  return {
    kind: definition.kind,
    apiVersion: formatGroupVersion(definition),
    metadata: { ...named, resourceVersion: String(revision), ...defined({ annotations }) },
    ...rest,
  };
}
