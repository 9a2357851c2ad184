/** One request and its progress. Names are those of audit events. */
export interface RequestRecord {
  /** 1 for the server's first request, then increasing by 1. */
  readonly sequence: number;
  /** The time of arrival, by the server's clock: `2026-01-01T00:00:00.000Z`. */
  readonly time: string;
  /** The user, after impersonation. */
  readonly user: string;
  readonly groups: readonly string[];
  /** The user who impersonates `user`. Absent without impersonation, and if it is refused. */
  readonly impersonatedBy?: string;
  /** "" without the header. */
  readonly userAgent: string;
  /**
   * RBAC's verb: get, list, watch, create, update, patch, delete or deletecollection. The method in lower case for
   * other URLs.
   */
  readonly verb: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  /** This field and the next ones are "" for URLs that name no resource. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** For creates, the name of the created object, including a generated one. "" for collections and failed creates. */
  readonly name: string;
  /** The status of the response. Absent before it, and if the connection ended first. */
  readonly code?: number;
  /** The object's resourceVersion after a write. Absent for reads, failures, dry runs and deletions of collections. */
  readonly resourceVersion?: string;
  /** The response is incomplete. A watch is running until it ends. */
  readonly running: boolean;
}
