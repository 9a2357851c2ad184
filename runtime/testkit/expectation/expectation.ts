import type { KubeObject } from '../../machinery/object.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { Deadline } from '../settling/deadline.ts';
import { type ObjectReference, type ReferredObjects, referredObjects } from './object-reference.ts';
import { unmetExpectation } from './unmet-expectation.ts';
import { WatchedObjects } from './watched-objects.ts';

export interface ExpectationOptions {
  /**
   * Real time, in Go's notation or in milliseconds. Default: 4 s, less than the default timeout of tests in Jest and
   * Vitest.
   */
  readonly timeout?: string | number;
}

/** The server that is asked for the objects. */
export interface ExpectingServer {
  readonly stores: ResourceStores;
  /** The revision of the first state. */
  readonly revision: number;
  /** Aborts when the server is closed. */
  readonly closed: AbortSignal;
}

const defaultTimeout = 4000;

/**
 * Accepts a state by a truthy result: the object, undefined for an absent object, or the array of the selected objects.
 */
export type Predicate = (state: never) => unknown;

const isThere = (state: unknown): boolean => (Array.isArray(state) ? state.length > 0 : state !== undefined);

/**
 * Resolves with the first state that the predicate accepts. The predicate sees each state in order, from the state at
 * the time of the call, and misses none. A predicate that throws does not accept.
 *
 * @throws UnmetExpectationError at the timeout; Error for an incomplete reference
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
