/** What the log of a page says of one request. Times are milliseconds of the server's clock. */
export interface RequestActivity {
  readonly id: number;
  readonly time: number;
  readonly end?: number | undefined;
  readonly user: string;
  readonly agent: string;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Absent while the request runs, and if its connection ended first. */
  readonly code?: number | undefined;
  /** The revision of the object that the request wrote. */
  readonly revision?: number | undefined;
  /** The faults that hit the request. */
  readonly faults?: readonly string[] | undefined;
}

/** An event that a watch was sent. */
export interface EventActivity {
  readonly time: number;
  /** The id of the watch's request. */
  readonly request: number;
  readonly type: string;
  readonly revision: number;
}

/** A change of an object, by whomever. */
export interface ChangeActivity {
  readonly time: number;
  readonly revision: number;
  readonly type: 'created' | 'changed' | 'deleted';
  /** Facts in the stored object; "" if it cannot be read. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The manager whose fields changed last. */
  readonly manager: string;
}

/** Everything that is newer than what a page knows. */
export interface Activity {
  /** What to ask for next time: `since`. */
  readonly sequence: number;
  /** The time of the server's clock. */
  readonly now: number;
  readonly requests: readonly RequestActivity[];
  readonly events: readonly EventActivity[];
  readonly changes: readonly ChangeActivity[];
}
