import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { Deadline } from '../settling/deadline.ts';
import { type ObjectReference, type ReferredObjects, referredObjects } from './object-reference.ts';
import { unmetExpectation } from './unmet-expectation.ts';
import { WatchedObjects } from './watched-objects.ts';

export interface ExpectationOptions {
  /** Real time, as Go writes it or in milliseconds. Default: 4 s, which is less than tests of Jest and Vitest may take. */
  readonly timeout?: string | number;
}

/** What is asked for the objects. */
export interface ExpectingServer {
  readonly stores: ResourceStores;
  /** That of the first state that counts. */
  readonly revision: number;
  /** Aborts when the server is closed. */
  readonly closed: AbortSignal;
}

const defaultTimeout = 4000;

/** Whether what there is, is what is expected: the object, undefined if there is none, or the array of the selected objects. */
export type Predicate = (state: never) => unknown;

const isThere = (state: unknown): boolean => (Array.isArray(state) ? state.length > 0 : state !== undefined);

/**
 * Resolves with the first state that the predicate accepts, by returning something truthy, beginning with the state at the time of
 * the call. The predicate sees each state, in order, and none that was in between two looks is missed. One that throws does not accept.
 *
 * @throws UnmetExpectationError if there is no such state in time; Error if the reference lacks something
 */
export async function eventually(
  { stores, revision, closed }: ExpectingServer,
  reference: ObjectReference,
  predicate: Predicate = isThere,
  { timeout = defaultTimeout }: ExpectationOptions = {},
): Promise<unknown> {
  const referred = referredObjects(reference);
  const deadline = new Deadline(timeout, closed);
  const watched = new WatchedObjects(stores, referred, revision);
  let thrown: unknown;
  const isAccepted = async (state: unknown): Promise<boolean> => {
    thrown = undefined;
    try {
      return Boolean(await predicate(state as never));
    } catch (error) {
      thrown = error ?? new Error('nothing');
      return false;
    }
  };
  try {
    for (;;) {
      if ((await deadline.before(watched.next())) === undefined) break;
      if (!watched.isServed) continue;
      const state = stateOf(referred, watched.objects);
      if (await deadline.before(isAccepted(state))) return state;
      if (deadline.isOver) break;
    }
    throw unmetExpectation(referred, watched, deadline.reason, thrown);
  } finally {
    watched.close();
    deadline.cancel();
  }
}

const stateOf = ({ name }: ReferredObjects, objects: readonly KubeObject[]): unknown => (name === undefined ? objects : objects[0]);
