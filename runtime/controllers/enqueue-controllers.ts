import { equalJson } from '../machinery/json/equality.ts';
import type { KubeObject, OwnerReference } from '../machinery/object.ts';
import { type LabelSelectorObject, labelSelectorFromObject } from '../machinery/selectors/label-selector.ts';
import type { SharedInformer } from '../reconcile/informers/shared-informer.ts';
import type { ObjectQueue } from '../reconcile/queue-controller.ts';
import { controllerOf } from './controller-ref-manager.ts';

export interface EnqueueControllersOptions<T extends KubeObject, Owner extends KubeObject> {
  /** The kind of the controlling objects. */
  readonly kind: string;
  readonly owners: SharedInformer<Owner>;
  readonly queue: ObjectQueue;
  /** Returns the selector of a controlling object; undefined if it adopts nothing. */
  selectorOf(owner: Owner): LabelSelectorObject | undefined;
  /** Reports whether a change other than of labels and owners matters to the controller. Default: it does. */
  matters?(before: T, after: T): boolean;
  /** Whether the creation of an object queues the object's controller. Default: it does. */
  readonly followsCreations?: boolean;
}

type Owners<Owner extends KubeObject> = Omit<EnqueueControllersOptions<never, Owner>, 'matters' | 'followsCreations'>;

/**
 * Queues the controller of each created, changed or deleted object. For a created or relabelled orphan, queues the
 * controllers that may adopt it. (addPod, updatePod and deletePod of the controllers that own pods)
 *
 * @returns a function that stops it
 */
export function enqueueControllers<T extends KubeObject, Owner extends KubeObject>(
  objects: SharedInformer<T>,
  options: EnqueueControllersOptions<T, Owner>,
): () => void {
  return objects.addEventHandler({
    onAdd(object) {
      const { followsCreations = true } = options;
      const isSettled = controllerOf(object) !== undefined && !object.metadata.deletionTimestamp;
      if (followsCreations || !isSettled) enqueueController(object, options);
    },
    onUpdate(before, after) {
      const [old, current] = [controllerOf(before), controllerOf(after)];
      const isOwnerChanged = old?.uid !== current?.uid;
      if (isOwnerChanged && old !== undefined) enqueueOwner(before, old, options);
      const isMetadataChanged = isOwnerChanged || !equalJson(before.metadata.labels, after.metadata.labels);
      const { matters = () => true } = options;
      if (isMetadataChanged || (current !== undefined && matters(before, after))) enqueueController(after, options);
    },
    onDelete(last) {
      const owner = controllerOf(last);
      if (owner !== undefined) enqueueOwner(last, owner, options);
    },
  });
}

function enqueueController<Owner extends KubeObject>(object: KubeObject, options: Owners<Owner>): void {
  const { namespace = '', labels, deletionTimestamp } = object.metadata;
  const reference = controllerOf(object);
  if (reference !== undefined) enqueueOwner(object, reference, options);
  else if (!deletionTimestamp) {
    for (const owner of options.owners.list(namespace)) {
      const selector = labelSelectorFromObject(options.selectorOf(owner));
      if (!selector.isEmpty && selector.matches(labels)) options.queue.addObject(owner);
    }
  }
}

/** (resolveControllerRef) */
function enqueueOwner<Owner extends KubeObject>(
  { metadata: { namespace = '' } }: KubeObject,
  { kind, name, uid }: OwnerReference,
  { kind: wanted, owners, queue }: Owners<Owner>,
): void {
  if (kind !== wanted) return;
  const owner = owners.get(namespace, name);
  if (owner?.metadata.uid === uid) queue.addObject(owner);
}
