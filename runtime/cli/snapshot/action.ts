import type { Flag, ParsedFlags } from '../../machinery/options/flags.ts';

/** What can be done with the file of a snapshot. */
export interface SnapshotAction {
  readonly name: string;
  readonly about: string;
  /** Further lines of --help. */
  readonly details: string;
  /** Besides those for the kubeconfig. */
  readonly flags: readonly Flag[];
  run(path: string, flags: ParsedFlags): Promise<void>;
}
