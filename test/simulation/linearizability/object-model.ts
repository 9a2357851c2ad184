import type { Model, Operation } from './operation.ts';

/** An object after one write. */
export interface Version {
  readonly revision: number;
  readonly uid: string;
  /** The unique mark of the write. */
  readonly writer: number;
  /** The mark of the write that set each slot. A patch sets one slot, other writes set all. */
  readonly slots: readonly number[];
}

export type ObjectInput =
  | { readonly type: 'read' }
  | { readonly type: 'create'; readonly mark: number; readonly slots: number }
  | { readonly type: 'update'; readonly mark: number; readonly slots: number; readonly guard?: number }
  | { readonly type: 'patch'; readonly mark: number; readonly slot: number }
  | { readonly type: 'delete'; readonly guard?: number };

export type ObjectOutput =
  /** A write, or a read of an object. */
  | { readonly result: 'version'; readonly version: Version }
  | { readonly result: 'deleted' }
  /** 404 */
  | { readonly result: 'absent' }
  /** 409 of a create */
  | { readonly result: 'exists' }
  /** 409 of other writes */
  | { readonly result: 'conflict' };

export type ObjectOperation = Operation<ObjectInput, ObjectOutput>;

export interface ObjectState {
  /** The last known revision of the object, existing or not. */
  readonly revision: number;
  /** Its revision and uid are unknown if no client learned the outcome of the write. */
  readonly object?: Pick<Version, 'writer' | 'slots'> & Partial<Version>;
}

/**
 * The model of one Kubernetes object: revisions grow, guards hold, one of many creates succeeds, and updates keep the
 * uid.
 *
 * @param written all observed versions, by the mark of the write. They supply the revision and uid of a write with
 *   unknown outcome
 */
export function objectModel(written: ReadonlyMap<number, Version> = new Map()): Model<ObjectState, ObjectInput, ObjectOutput> {
  return {
    initial: { revision: 0 },
    key: ({ revision, object }) =>
      object === undefined ? `${revision}` : `${revision} ${object.revision} ${object.writer} ${object.slots}`,
    step(state, input, output) {
      const { object } = state;
      if (output?.result === 'absent') return object === undefined && input.type !== 'create' ? state : undefined;
      if (output?.result === 'exists') return object !== undefined && input.type === 'create' ? state : undefined;
      if (output?.result === 'conflict') return canConflict(state, input) ? state : undefined;
      if (input.type === 'read') return output?.result === 'version' && isSame(object, output.version) ? state : undefined;
      if ((object === undefined) !== (input.type === 'create')) return undefined;
      if ('guard' in input && input.guard !== undefined && input.guard !== object?.revision) return undefined;
      if (input.type === 'delete') return { revision: state.revision };
      const slots = slotsAfter(input, object?.slots ?? []);
      const version = output?.result === 'version' ? output.version : written.get(input.mark);
      if (version === undefined) return { revision: state.revision, object: { writer: input.mark, slots } };
      const isNext =
        version.revision > state.revision &&
        version.writer === input.mark &&
        String(version.slots) === String(slots) &&
        (object?.uid === undefined || object.uid === version.uid);
      return isNext ? { revision: version.revision, object: version } : undefined;
    },
  };
}

/** A patch may fail with a conflict after several retries, an update without a guard never. */
function canConflict({ object }: ObjectState, input: ObjectInput): boolean {
  if (object === undefined || input.type === 'read' || input.type === 'create') return false;
  return input.type === 'patch' || (input.guard !== undefined && input.guard !== object.revision);
}

function slotsAfter(input: Extract<ObjectInput, { readonly mark: number }>, before: readonly number[]): readonly number[] {
  if (input.type === 'patch') return before.map((mark, slot) => (slot === input.slot ? input.mark : mark));
  return new Array(input.slots).fill(input.mark);
}

function isSame(object: ObjectState['object'], version: Version): boolean {
  return (
    object !== undefined &&
    object.writer === version.writer &&
    String(object.slots) === String(version.slots) &&
    (object.revision === undefined || object.revision === version.revision) &&
    (object.uid === undefined || object.uid === version.uid)
  );
}
