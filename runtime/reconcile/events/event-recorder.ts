import type { Event } from '../../../generated/v1.35/core/v1/types.ts';
import { defined } from '../../machinery/json/defined.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { type CorrelatedEvent, EventCorrelator } from './event-correlator.ts';
import { EventNames } from './event-name.ts';
import { EventQueue } from './event-queue.ts';
import type { EventReference, RecordedEvent } from './recorded-event.ts';

export { type EventReference, type RecordedEvent, referenceTo } from './recorded-event.ts';

const resource = { group: '', version: 'v1', resource: 'events' };

/**
 * Records the events of a component. Ignores refusals, and drops events if too many are waiting. (client-go
 * tools/record)
 */
export class EventRecorder {
  readonly #stores: ResourceStores;
  readonly #component: string;
  readonly #writer: Writer;
  readonly #correlator: EventCorrelator;
  readonly #queue = new EventQueue();
  #events: LoopbackClient<Event> | undefined;

  constructor(stores: ResourceStores, component: string, writer: Writer) {
    this.#stores = stores;
    this.#component = component;
    this.#writer = writer;
    this.#correlator = new EventCorrelator(stores.clock, EventNames.of(stores));
  }

  /** Calls `record` in the background. */
  event(about: EventReference, event: RecordedEvent): void {
    this.record(about, event);
  }

  /** Resolves when the event has been recorded or dropped. The events of one object are recorded in order. */
  async record(about: EventReference, event: RecordedEvent): Promise<void> {
    if (!this.#stores.serves(resource.group, resource.version, resource.resource)) return;
    const correlated = this.#correlator.correlate(about, event);
    if (correlated === undefined) return;
    const now = this.#stores.clock.now();
    await this.#queue.add({ key: about.uid, run: () => this.#write(about, event, correlated, now) });
  }

  async #write(about: EventReference, event: RecordedEvent, correlated: CorrelatedEvent, now: number): Promise<void> {
    this.#events ??= await LoopbackClient.open<Event>(this.#stores, resource, this.#writer);
    const { name, message, count, firstTimestamp } = correlated;
    const namespace = about.namespace || 'default';
    const lastTimestamp = timeText(now);
    const counted = (current: Event): Event => ({ ...current, message, count, lastTimestamp });
    if (count > 1 && (await this.#events.modifyIfPresent({ namespace, name }, counted))) return;
    const { host, type, reason, annotations } = event;
    await this.#events.add({
      metadata: { name, namespace, ...(annotations ? { annotations: { ...annotations } } : {}) },
      involvedObject: defined({ ...about, namespace: about.namespace || undefined }),
      type,
      reason,
      message,
      count,
      firstTimestamp: timeText(firstTimestamp),
      lastTimestamp,
      source: host === undefined ? { component: this.#component } : { component: this.#component, host },
      reportingComponent: this.#component,
      reportingInstance: host ?? '',
    });
  }
}
