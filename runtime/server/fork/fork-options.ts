import { boolean, checked, object } from '../../machinery/options/option-type.ts';
import type { Snapshot } from '../../testkit/snapshot/snapshots.ts';

export interface ForkOptions {
  /** Whether the fork has an address, a free port of this host. Otherwise `client` and `fetch` reach it. Default: true. */
  readonly listen?: boolean;
  /** What it begins with, of this server or of one that it is a fork of. Default: the objects of now. */
  readonly snapshot?: Snapshot;
}

const isSnapshot = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'revision' in value && typeof value.revision === 'number';

export const forkOptions = object<ForkOptions>({
  listen: boolean,
  snapshot: checked<Snapshot>('a snapshot that a server has made', isSnapshot),
});
