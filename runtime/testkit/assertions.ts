import type { KubeObject } from '../machinery/object.ts';
import type { ExpectationOptions } from './expectation/expectation.ts';
import type { NamedReference, ObjectLike, SelectingReference } from './expectation/object-reference.ts';
import type { RequestFilter } from './requests/request-filter.ts';
import type { RequestRecord } from './requests/request-record.ts';
import type { SettledOptions } from './settling/settled.ts';

/** What a test finds out about a server. */
export interface Assertions {
  /**
   * The requests that the filter matches, oldest first; default: all. The log has those that were authenticated: the last ones, and all
   * that still run. Nothing that happens inside the server is a request.
   *
   * @throws Error if no requests are recorded: see TestControlsOptions.requestLog
   */
  requests(filter?: RequestFilter): RequestRecord[];
  /** The sequence of the newest request, for `since`; 0 if there is none. @throws Error as `requests` */
  lastRequest(): number;
  /**
   * Waits until an object is as expected, and resolves with it. The predicate sees each state that the object has from the call on, in
   * order, beginning with the present one, and accepts one by returning something truthy; undefined is an object that is not there. A
   * predicate that throws does not accept. Default: the object exists.
   *
   * @param object as a client returned it, or as it was sent; the first one with its kind, apiVersion and name counts
   * @throws UnmetExpectationError, which shows the last state and the events, if none was accepted in time
   */
  eventually<T extends ObjectLike>(object: T, predicate?: (object: T | undefined) => unknown, options?: ExpectationOptions): Promise<T>;
  /** The same of the object with a name. */
  eventually<T = KubeObject>(
    reference: NamedReference,
    predicate?: (object: T | undefined) => unknown,
    options?: ExpectationOptions,
  ): Promise<T>;
  /** The same of all objects that a selector selects, by namespace and name. Default: there is one. */
  eventually<T = KubeObject>(
    reference: SelectingReference,
    predicate?: (objects: readonly T[]) => unknown,
    options?: ExpectationOptions,
  ): Promise<readonly T[]>;
  /**
   * Waits until, for a while, nothing is written but Leases, no client waits for a response, and every watch has been sent all of its
   * events. What it cannot know: whether a program still thinks about an event for longer than `quiet`, and what it does later. It
   * never advances a manual clock.
   *
   * @throws NotSettledError, which says what was under way; Error as `requests`
   */
  settled(options?: SettledOptions): Promise<void>;
}
