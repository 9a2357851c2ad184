import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { OwnerReference } from '../../machinery/object.ts';
import type { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import type { ObjectReference } from './object-reference.ts';
import type { RESTMapper } from './rest-mapper.ts';

/** Records an event that the owner of `dependent` is in another namespace. (reportInvalidNamespaceOwnerRef) */
export async function reportInvalidNamespaceOwnerRef(
  recorder: EventRecorder,
  mapper: RESTMapper,
  dependent: ObjectReference,
  owner: OwnerReference,
): Promise<void> {
  const definition = (await mapper.storeForResource(dependent.collection.resource))?.definition;
  if (definition === undefined) return;
  const { namespace, name, uid } = dependent;
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  await recorder.record(
    { kind: definition.kind, apiVersion: formatGroupVersion(definition), namespace, name, uid },
    {
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${reference} does not exist in namespace "${namespace}"`,
    },
  );
}
