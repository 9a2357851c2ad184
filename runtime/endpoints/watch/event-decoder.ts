import type { VersionDecoder } from '../../machinery/resource.ts';
import type { ObjectEvent, StoredObject } from '../../storage/object-store/contract.ts';
import type { SelectionPredicate } from '../list/selection-predicate.ts';

export interface EventDecoderOptions {
  readonly decoder: VersionDecoder;
  readonly matches: SelectionPredicate['matches'];
  /** Called with events as they are seen, in their order. */
  readonly deliver: (event: ObjectEvent) => void;
  /** Called when a view cannot be made. */
  readonly fail: (error: unknown) => void;
}

/**
 * Shows events as the version of a watch sees them: at once where views need nothing to be made, and in their turn
 * where one of them waits. Whether an object matches is asked of its view.
 */
export class EventDecoder {
  readonly #parts: EventDecoderOptions;
  /** The last event whose views are being made, and all before it. */
  #making: Promise<void> | undefined;

  constructor(parts: EventDecoderOptions) {
    this.#parts = parts;
  }

  /** Events that came are still to be delivered. */
  get isMaking(): boolean {
    return this.#making !== undefined;
  }

  add(event: ObjectEvent): void {
    const { decoder, matches, deliver, fail } = this.#parts;
    const { type, object, previous } = event;
    const writtenAt = type === 'DELETED' ? previous?.revision : undefined;
    const isCurrent =
      decoder.isCurrent(object, writtenAt) &&
      (matches === undefined || previous === undefined || decoder.isCurrent(previous));
    if (isCurrent && this.#making === undefined) {
      const seen = eventAsSeen(event, object, previous, matches);
      if (seen === undefined) return;
      deliver(hasLeft(event, seen) ? { ...seen, object: event.deletedObject?.() ?? object } : seen);
      return;
    }
    const making = this.#make(event, this.#making).catch(fail);
    this.#making = making;
    void making.then(() => {
      if (this.#making === making) this.#making = undefined;
    });
  }

  async #make(event: ObjectEvent, before: Promise<void> | undefined): Promise<void> {
    const { decoder, matches, deliver } = this.#parts;
    const { type, object, previous } = event;
    const writtenAt = type === 'DELETED' ? previous?.revision : undefined;
    const views = Promise.all([
      decoder.views([object], writtenAt),
      matches === undefined || previous === undefined ? undefined : decoder.views([previous]),
    ]);
    // whoever waits for its turn reports it
    views.catch(() => undefined);
    await before;
    const [[current], old] = await views;
    const seen = eventAsSeen(event, current, old?.[0], matches);
    if (seen === undefined) return;
    const gone = hasLeft(event, seen) ? event.deletedObject?.() : undefined;
    if (gone === undefined) deliver(seen);
    else deliver({ ...seen, object: (await decoder.views([gone], previous?.revision))[0] });
  }
}

/** What a change is to somebody who sees views and only those that match. */
function eventAsSeen(
  { type, revision }: ObjectEvent,
  object: StoredObject,
  previous: StoredObject | undefined,
  matches: SelectionPredicate['matches'],
): ObjectEvent | undefined {
  if (matches === undefined) return { type, revision, object };
  const isIn = type !== 'DELETED' && matches(object);
  const wasIn = previous !== undefined && matches(previous);
  if (!isIn && !wasIn) return undefined;
  return { type: !isIn ? 'DELETED' : wasIn ? 'MODIFIED' : 'ADDED', revision, object };
}

/** Whether the object is still there, and no longer matches: what is told of is how it last did. */
const hasLeft = (event: ObjectEvent, seen: ObjectEvent): boolean => seen.type === 'DELETED' && event.type !== 'DELETED';
