import type { Event } from '../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../machinery/errors/status.ts';
import { timeText } from '../machinery/scalars/time.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import type { Writer } from '../resources/rest.ts';
import type { ResourceStores } from '../resources/stores.ts';

const resource = { group: '', version: 'v1', resource: 'events' };

/** What is told about an object. */
export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The object that an event is about. (core/v1 ObjectReference) */
export interface EventReference {
  readonly kind: string;
  readonly apiVersion: string;
  /** "" or absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion?: string;
}

let eventCount = 0;

/** Creates the events of a component. Ignores refusals: an event is only a hint. (client-go tools/record) */
export class EventRecorder {
  readonly #stores: ResourceStores;
  readonly #component: string;
  readonly #writer: Writer;

  constructor(stores: ResourceStores, component: string, writer: Writer) {
    this.#stores = stores;
    this.#component = component;
    this.#writer = writer;
  }

  async record({ namespace, ...others }: EventReference, event: RecordedEvent): Promise<void> {
    const { clock } = this.#stores;
    if (!this.#stores.serves(resource.group, resource.version, resource.resource)) return;
    const now = clock.now();
    const time = timeText(now);
    const events = await LoopbackClient.open<Event>(this.#stores, resource, this.#writer);
    try {
      await events.create({
        metadata: { name: `${others.name}.${uniqueSuffix(now)}`, namespace: namespace || 'default' },
        involvedObject: namespace ? { ...others, namespace } : others,
        ...event,
        source: { component: this.#component },
        ...{ firstTimestamp: time, lastTimestamp: time, count: 1 },
        ...{ reportingComponent: this.#component, reportingInstance: '' },
      });
    } catch (error) {
      if (!isStatusError(error)) throw error;
    }
  }
}

/** Upstream uses the time in nanoseconds as hexadecimal digits. */
function uniqueSuffix(now: number): string {
  eventCount = (eventCount + 1) % 1_000_000;
  return (BigInt(now) * 1_000_000n + BigInt(eventCount)).toString(16);
}
