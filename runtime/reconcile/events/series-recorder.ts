import type { Event } from '../../../generated/v1.35/events.k8s.io/v1/types.ts';
import { microTimeText } from '../../machinery/scalars/time.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { EventNames } from './event-name.ts';
import { EventQueue } from './event-queue.ts';
import type { EventReference } from './recorded-event.ts';

const resource = { group: 'events.k8s.io', version: 'v1', resource: 'events' };

/** Milliseconds until an idle series ends, and between writes of a continuing one. */
const finishTime = 6 * 60_000;
const refreshTime = 30 * 60_000;
/** The maximum number of remembered events. A repetition of a forgotten event is a new event. */
const maxRemembered = 10_000;

/** An event of events.k8s.io about an object. */
export interface RegardingEvent {
  readonly regarding: EventReference;
  /** A second object. */
  readonly related?: EventReference;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** The action that was done or failed. */
  readonly action: string;
  readonly note: string;
}

interface Remembered {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly event: RegardingEvent;
  readonly eventTime: number;
  /** The number of observations. */
  count: number;
  lastObserved: number;
}

/** Records events of events.k8s.io/v1. Repeated events become series. (client-go tools/events) */
export class SeriesRecorder {
  readonly #stores: ResourceStores;
  readonly #reportingController: string;
  readonly #reportingInstance: string;
  readonly #writer: Writer;
  readonly #queue = new EventQueue();
  readonly #remembered = new Map<string, Remembered>();
  #events: LoopbackClient<Event> | undefined;
  #cancel: (() => void) | undefined;
  #refreshed: number;
  #closed = false;

  constructor(stores: ResourceStores, reportingController: string, writer: Writer) {
    this.#stores = stores;
    this.#reportingController = reportingController;
    this.#reportingInstance = `${reportingController}-${stores.hostname}`;
    this.#writer = writer;
    this.#refreshed = stores.clock.now();
  }

  /** Resolves when the event has been recorded, or counted in its series, which is written later. */
  async event(event: RegardingEvent): Promise<void> {
    if (this.#closed || !this.#stores.serves(resource.group, resource.version, resource.resource)) return;
    const now = this.#stores.clock.now();
    const key = keyOf(event);
    const before = this.#remembered.get(key);
    if (before !== undefined) {
      before.count++;
      before.lastObserved = now;
      if (before.count === 2) await this.#enqueue(before);
      return;
    }
    const { namespace, name } = event.regarding;
    const created = { namespace: namespace || 'default', name: EventNames.of(this.#stores).next(name, now) };
    const remembered = { key: created, event, eventTime: now, count: 1, lastObserved: now };
    if (this.#remembered.size >= maxRemembered) this.#forgetOldest();
    this.#remembered.set(key, remembered);
    this.#cancel ??= this.#stores.clock.after(finishTime, () => this.#sweep());
    await this.#enqueue(remembered);
  }

  /** Stops recording. */
  close(): void {
    this.#closed = true;
    this.#cancel?.();
    this.#remembered.clear();
  }

  #enqueue(remembered: Remembered): Promise<void> {
    return this.#queue.add({ key: remembered.event.regarding.uid, run: () => this.#write(remembered) });
  }

  /** Writes ended series a last time, and continuing ones periodically. (finishSeries, refreshExistingEventSeries) */
  #sweep(): void {
    const now = this.#stores.clock.now();
    const refreshes = now - this.#refreshed >= refreshTime;
    if (refreshes) this.#refreshed = now;
    for (const [key, remembered] of this.#remembered) {
      const isOver = remembered.lastObserved < now - finishTime;
      if (isOver) this.#remembered.delete(key);
      if (remembered.count > 1 && (isOver || refreshes)) this.#enqueue(remembered);
    }
    this.#cancel = this.#remembered.size === 0 ? undefined : this.#stores.clock.after(finishTime, () => this.#sweep());
  }

  #forgetOldest(): void {
    for (const key of this.#remembered.keys()) {
      this.#remembered.delete(key);
      break;
    }
  }

  async #write({ key, event, eventTime, count, lastObserved }: Remembered): Promise<void> {
    this.#events ??= await LoopbackClient.open<Event>(this.#stores, resource, this.#writer);
    const series = count > 1 ? { count, lastObservedTime: microTimeText(lastObserved) } : undefined;
    if (series && (await this.#events.modifyIfPresent(key, (current) => ({ ...current, series })))) return;
    await this.#events.add({
      metadata: { ...key },
      eventTime: microTimeText(eventTime),
      reportingController: this.#reportingController,
      reportingInstance: this.#reportingInstance,
      ...event,
      ...(series && { series }),
    });
  }
}

/** Returns a series' key, which ignores notes. (getKey) */
const keyOf = ({ regarding, related, type, reason, action }: RegardingEvent): string =>
  [type, action, reason, referenceKey(regarding), related === undefined ? '' : referenceKey(related)].join('\0');

const referenceKey = ({ apiVersion, kind, namespace, name, uid, resourceVersion, fieldPath }: EventReference): string =>
  [apiVersion, kind, namespace, name, uid, resourceVersion, fieldPath].join('\0');
