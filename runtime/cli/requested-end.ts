import type { ParsedFlags } from '../machinery/options/flags.ts';
import { endOfInput } from './end-signal.ts';
import { endOfParent } from './parent-end.ts';
import { exitWithParent, exitWithStdin } from './serve-flags.ts';

/** Resolves when the server is to end, besides at signals: with its input or its parent, as flags request. */
export function requestedEnd(flags: ParsedFlags): Promise<void> | undefined {
  const ends = [...(flags.boolean(exitWithStdin) ? [endOfInput()] : []), ...(flags.boolean(exitWithParent) ? [endOfParent()] : [])];
  return ends.length === 0 ? undefined : Promise.race(ends);
}
