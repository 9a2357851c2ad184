import type { Flag, ParsedFlags } from '../../machinery/options/flags.ts';

/** An action of `kubeloom store`. */
export interface StoreAction {
  readonly name: string;
  /** One line for --help. */
  readonly about: string;
  /** What --help of the action says besides, in lines. */
  readonly details?: string;
  /** The names of the arguments that it needs, as `FILE`. */
  readonly parameters?: readonly string[];
  readonly flags: readonly Flag[];
  run(flags: ParsedFlags): Promise<void>;
}
