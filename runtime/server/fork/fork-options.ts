import { boolean, checked, object } from '../../machinery/options/option-type.ts';
import type { Snapshot } from '../../testkit/snapshot/snapshots.ts';

export interface ForkOptions {
  /**
   * Whether the fork listens on a free port of this host. Otherwise only `client` and `fetch` reach it. Default: true.
   */
  readonly listen?: boolean;
  /**
   * The initial objects: a snapshot of this server, or of a server that it was forked from. Default: the current
   * objects.
   */
  readonly snapshot?: Snapshot;
  /** Whether the fork, too, starts the programs that run in place of images. It must listen. Default: false. */
  readonly programs?: boolean;
}

const isSnapshot = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'revision' in value && typeof value.revision === 'number';

export const forkOptions = object<ForkOptions>({
  listen: boolean,
  programs: boolean,
  snapshot: checked<Snapshot>('a snapshot that a server has made', isSnapshot),
});
