import { elementAt } from '../../machinery/collections/element-at.ts';
import type { VersionDecoder } from '../../machinery/resource.ts';
import type { ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { SelectionPredicate } from '../list/selection-predicate.ts';

export interface EventDecoderOptions {
  readonly decoder: VersionDecoder;
  readonly matches: SelectionPredicate['matches'];
  /** Called with the decoded events, in order. */
  readonly deliver: (event: ObjectEvent) => void;
  /** Called if an object cannot be decoded. */
  readonly fail: (error: unknown) => void;
}

/**
 * Decodes events to the version of a watch, and selects them by their decoded objects. An event is delivered at once if its
 * objects need no conversion and no earlier event is being converted.
 */
export class EventDecoder {
  readonly #options: EventDecoderOptions;
  /** Resolves when all events so far are delivered. Undefined if no event is being converted. */
  #pending: Promise<void> | undefined;

  constructor(options: EventDecoderOptions) {
    this.#options = options;
  }

  /** True while events are being converted. */
  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  add(event: ObjectEvent): void {
    const { decoder, matches, deliver, fail } = this.#options;
    const { type, object, previous } = event;
    const writtenAt = type === 'DELETED' ? previous?.revision : undefined;
    const isCurrent =
      decoder.isCurrent(object, writtenAt) && (matches === undefined || previous === undefined || decoder.isCurrent(previous));
    if (isCurrent && this.#pending === undefined) {
      const decoded = selectedEvent(event, object, previous, matches);
      if (decoded === undefined) return;
      deliver(isDeselected(event, decoded) ? { ...decoded, object: event.deletedObject?.() ?? object } : decoded);
      return;
    }
    const pending = this.#convert(event, this.#pending).catch(fail);
    this.#pending = pending;
    void pending.then(() => {
      if (this.#pending === pending) this.#pending = undefined;
    });
  }

  async #convert(event: ObjectEvent, before: Promise<void> | undefined): Promise<void> {
    const { decoder, matches, deliver } = this.#options;
    const { type, object, previous } = event;
    const writtenAt = type === 'DELETED' ? previous?.revision : undefined;
    const views = Promise.all([
      decoder.views([object], writtenAt),
      matches === undefined || previous === undefined ? undefined : decoder.views([previous]),
    ]);
    // The await below reports the error, but only after the earlier events.
    views.catch(() => undefined);
    await before;
    const [[current], old] = await views;
    if (current === undefined) return;
    const decoded = selectedEvent(event, current, old?.[0], matches);
    if (decoded === undefined) return;
    const deleted = isDeselected(event, decoded) ? event.deletedObject?.() : undefined;
    if (deleted === undefined) deliver(decoded);
    else deliver({ ...decoded, object: elementAt(await decoder.views([deleted], previous?.revision), 0) });
  }
}

/** Returns the event for a client that sees only matching objects. Returns undefined if the client sees no change. */
function selectedEvent(
  { type, revision }: ObjectEvent,
  object: StoredObject,
  previous: StoredObject | undefined,
  matches: SelectionPredicate['matches'],
): ObjectEvent | undefined {
  if (matches === undefined) return { type, revision, object };
  const isSelected = type !== 'DELETED' && matches(object);
  const wasSelected = previous !== undefined && matches(previous);
  if (!isSelected && !wasSelected) return undefined;
  return { type: !isSelected ? 'DELETED' : wasSelected ? 'MODIFIED' : 'ADDED', revision, object };
}

/** Returns true if the object still exists, but no longer matches: the client gets its last matching state. */
const isDeselected = (event: ObjectEvent, selected: ObjectEvent): boolean => selected.type === 'DELETED' && event.type !== 'DELETED';
