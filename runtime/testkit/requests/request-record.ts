/** One request, as far as it has come. Names are those of audit events. */
export interface RequestRecord {
  /** 1 for the first request of the server, and one more for each that follows. */
  readonly sequence: number;
  /** When it came, by the server's clock, as `2026-01-01T00:00:00.000Z`. */
  readonly time: string;
  /** Who asks. For a request that impersonates, who it acts as. */
  readonly user: string;
  readonly groups: readonly string[];
  /** Who impersonates `user`. Absent for a request that does not impersonate, or may not. */
  readonly impersonatedBy?: string;
  /** "" if the client sends none. */
  readonly userAgent: string;
  /** As RBAC has it: get, list, watch, create, update, patch, delete, deletecollection; the method in lower case for other URLs. */
  readonly verb: string;
  /** Path and query, as the client sent them. */
  readonly url: string;
  /** These are "" for URLs that name no resource. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** For creates, that of the created object, also if the server made it up. "" for collections, and creates that failed. */
  readonly name: string;
  /** The status of the response. Absent as long as there is none, and if the connection ended before there was one. */
  readonly code?: number;
  /** What the object of a write has now. Absent for reads, failures, dry runs and deletions of collections. */
  readonly resourceVersion?: string;
  /** Whether the response is not complete: that of a watch is not until the watch ends. */
  readonly running: boolean;
}
