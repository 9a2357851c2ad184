import { isStatusError } from '../../machinery/errors/status.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { OwnerReference } from '../../machinery/object.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { writerFor } from '../controller.ts';
import type { Target } from './ownership.ts';
import type { ServedResources } from './served-resources.ts';

const component = 'garbage-collector-controller';
const writer = writerFor('generic-garbage-collector');
let events = 0;

/** Tells, as an event beside the dependent, that its owner is in another namespace. Where it cannot, it does not. */
export async function recordElsewhere(
  resources: ServedResources,
  dependent: Target,
  owner: OwnerReference,
  now: number,
): Promise<void> {
  const store = await resources.ofKind('v1', 'Event');
  const definition = (await resources.ofResource(dependent.collection.resource))?.definition;
  if (store === undefined || definition === undefined) return;
  const time = timeText(now);
  const namespace = dependent.namespace === '' ? 'default' : dependent.namespace;
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${dependent.namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  const event = {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: `${dependent.name}.${uniquePart(now)}`, namespace },
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

/** Upstream's are nanoseconds in hexadecimal digits. */
function uniquePart(now: number): string {
  events = (events + 1) % 1_000_000;
  return (BigInt(now) * 1_000_000n + BigInt(events)).toString(16);
}
