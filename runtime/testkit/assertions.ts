import type { KubeObject } from '../machinery/object.ts';
import type { ExpectationOptions } from './expectation/expectation.ts';
import type { NamedReference, ObjectLike, SelectingReference } from './expectation/object-reference.ts';
import type { RequestFilter } from './requests/request-filter.ts';
import type { RequestRecord } from './requests/request-record.ts';
import type { SettledOptions } from './settling/settled.ts';

/** The observations of a server by a test. */
export interface Assertions {
  /**
   * Returns the matching requests, oldest first. Default: all. The log has authenticated requests: the latest finished
   * ones, and all running ones. Work inside the server is not a request.
   *
   * @throws Error if no requests are recorded: see TestControlsOptions.requestLog
   */
  requests(filter?: RequestFilter): RequestRecord[];
  /** Returns the sequence of the newest request, for `since`; 0 without requests. @throws Error as `requests` */
  lastRequest(): number;
  /**
   * Waits until an object is as expected, and resolves with it. The predicate sees each state of the object in order,
   * beginning with the current one, and accepts a state by a truthy result. Undefined is an absent object. A predicate
   * that throws does not accept. Default: the object exists.
   *
   * @param object as a client sent or received it. Its kind, apiVersion and name identify the object
   * @throws UnmetExpectationError, with the last state and the events, at the timeout
   */
  eventually<T extends ObjectLike>(object: T, predicate?: (object: T | undefined) => unknown, options?: ExpectationOptions): Promise<T>;
  /** Waits for the object with a name. */
  eventually<T = KubeObject>(
    reference: NamedReference,
    predicate?: (object: T | undefined) => unknown,
    options?: ExpectationOptions,
  ): Promise<T>;
  /** Waits for the objects of a selector, by namespace and name. Default: at least one exists. */
  eventually<T = KubeObject>(
    reference: SelectingReference,
    predicate?: (objects: readonly T[]) => unknown,
    options?: ExpectationOptions,
  ): Promise<readonly T[]>;
  /**
   * Waits until, for a while, nothing but Leases is written, no client waits for a response, and every watch has sent
   * all of its events. It cannot know whether a program handles an event for longer than `quiet`, nor a program's later
   * plans. It never advances a manual clock.
   *
   * @throws NotSettledError, with the unfinished work; Error as `requests`
   */
  settled(options?: SettledOptions): Promise<void>;
}
