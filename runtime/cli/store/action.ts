import type { Flag, ParsedFlags } from '../../machinery/options/flags.ts';

/** An action of `kubeloom store`. */
export interface StoreAction {
  readonly name: string;
  /** One line for --help. */
  readonly about: string;
  /** Additional lines for --help of the action. */
  readonly details?: string;
  /** The names of its arguments: `FILE`. */
  readonly parameters?: readonly string[];
  readonly flags: readonly Flag[];
  run(flags: ParsedFlags): Promise<void>;
}
