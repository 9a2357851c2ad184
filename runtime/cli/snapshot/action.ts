import type { Flag, ParsedFlags } from '../../machinery/options/flags.ts';

/** An action on the file of a snapshot. */
export interface SnapshotAction {
  readonly name: string;
  readonly about: string;
  /** Additional lines of --help. */
  readonly details: string;
  /** The flags besides those for the kubeconfig. */
  readonly flags: readonly Flag[];
  run(path: string, flags: ParsedFlags): Promise<void>;
}
