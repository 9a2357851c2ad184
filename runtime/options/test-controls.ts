import type { FixtureSources } from './fixture-sources.ts';

/** What tests may steer and see. Without these options, none of it costs anything. */
export interface TestControlsOptions {
  /**
   * Whether the group testing.kubeloom.dev is served, by which clients in the group system:masters, and nobody else, steer the server
   * as tests do in its process. Default: false. Never for a server that matters.
   */
  readonly testControls?: boolean | undefined;
  /**
   * How many of the last requests RunningServer.requests knows, besides those that run; about half a KiB each. Default: 10,000 with
   * testControls; otherwise 0, no request is recorded.
   */
  readonly requestLog?: number | undefined;
  /**
   * Objects, and paths of files and folders with objects, which the server has before it is ready. Default: none.
   * docs/fixtures.md says how they are written.
   */
  readonly fixtures?: FixtureSources | undefined;
  /**
   * Path of a file that `saveSnapshot` or `kubeloom snapshot save` wrote. The server begins with exactly its objects, in an empty
   * store, before fixtures are written. Default: none.
   */
  readonly snapshot?: string | undefined;
}
