import type { ReplaySpec } from './replay-spec.ts';

/** What happened on a server, as a file. */
export interface RecordingOptions {
  /**
   * The path of a file that all requests, changes and watch events are recorded in; it is replaced if it exists. Only its user
   * can read it: it has every object, Secrets too. Default: nothing is recorded.
   */
  readonly record?: string | undefined;
  /**
   * Begin with a state of a recording, in memory, and perhaps let happen what it has after that. The server writes nothing of its
   * own then, and runs no controllers but those that `controllers` names. Default: the store is as it is.
   */
  readonly replay?: ReplaySpec | undefined;
}
