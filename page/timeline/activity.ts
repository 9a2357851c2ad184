/** What the server says of one request. Times are milliseconds of its clock. */
export interface RequestActivity {
  readonly id: number;
  readonly time: number;
  readonly end?: number;
  readonly user: string;
  readonly agent: string;
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly code?: number;
  readonly revision?: number;
  readonly faults?: readonly string[];
}

export interface EventActivity {
  readonly time: number;
  readonly request: number;
  readonly type: string;
  readonly revision: number;
}

export interface ChangeActivity {
  readonly time: number;
  readonly revision: number;
  readonly type: 'created' | 'changed' | 'deleted';
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly manager: string;
}

export interface Activity {
  readonly sequence: number;
  readonly now: number;
  readonly requests: readonly RequestActivity[];
  readonly events: readonly EventActivity[];
  readonly changes: readonly ChangeActivity[];
}
