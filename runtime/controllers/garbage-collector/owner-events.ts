import { isStatusError } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { OwnerReference } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { writerOfController } from '../controller.ts';
import type { ObjectReference } from './object-reference.ts';
import type { RESTMapper } from './rest-mapper.ts';

const component = 'garbage-collector-controller';
const writer = writerOfController('generic-garbage-collector');
let eventCount = 0;

/**
 * Creates an event that the owner of `dependent` is in another namespace. Ignores refusals: the event is only a hint.
 * (reportInvalidNamespaceOwnerRef)
 */
export async function reportInvalidNamespaceOwnerRef(
  mapper: RESTMapper,
  dependent: ObjectReference,
  owner: OwnerReference,
  now: number,
): Promise<void> {
  const store = await mapper.storeForKind('v1', 'Event');
  const definition = (await mapper.storeForResource(dependent.collection.resource))?.definition;
  if (store === undefined || definition === undefined) return;
  const time = timeText(now);
  const namespace = dependent.namespace === '' ? 'default' : dependent.namespace;
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${dependent.namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const event = {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: `${dependent.name}.${uniqueSuffix(now)}`, namespace },
    involvedObject: {
      kind: definition.kind,
      ...(dependent.namespace === '' ? {} : { namespace: dependent.namespace }),
      name: dependent.name,
      uid: dependent.uid,
      apiVersion: formatGroupVersion(definition),
    },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${reference} does not exist in namespace "${dependent.namespace}"`,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
    type: 'Warning',
    eventTime: null,
    reportingComponent: component,
    reportingInstance: '',
  };
  try {
    await store.create(store.definition, event, namespace, writer);
  } catch (error) {
    if (!isStatusError(error)) throw error;
  }
}

/** Upstream uses the time in nanoseconds as hexadecimal digits. */
function uniqueSuffix(now: number): string {
  eventCount = (eventCount + 1) % 1_000_000;
  return (BigInt(now) * 1_000_000n + BigInt(eventCount)).toString(16);
}
