import type { RequestFilter } from './requests/request-filter.ts';
import type { RequestRecord } from './requests/request-record.ts';

/** What a test finds out about a server. */
export interface Assertions {
  /**
   * The requests that the filter matches, oldest first; default: all. The log has those that were authenticated: the last ones, and all
   * that still run. Nothing that happens inside the server is a request.
   *
   * @throws Error if no requests are recorded: see TestControlsOptions.requestLog
   */
  requests(filter?: RequestFilter): RequestRecord[];
}
