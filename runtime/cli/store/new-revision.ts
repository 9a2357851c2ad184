import { type Flag, type ParsedFlags, UsageError } from '../../machinery/options/flags.ts';

/**
 * More writes than a store has seen since its backup, as etcd's manual advises. etcd counts up to it in single steps.
 */
const defaultBumps = { lmdb: 1_000_000_000, etcd: 100_000 };

export const bumpFlag: Flag = {
  name: 'bump-revision',
  type: 'string',
  value: 'N',
  about:
    `How many revisions to leave out: more than there were after the backup. Default: ${defaultBumps.lmdb}; ` +
    `in etcd, where each of them is a write, ${defaultBumps.etcd}.`,
};

/** Returns the value of --bump-revision. */
export function bumpOf(flags: ParsedFlags, engine: 'lmdb' | 'etcd'): number {
  const given = flags.string(bumpFlag.name) ?? String(defaultBumps[engine]);
  const bump = Number(given);
  if (/^\d{1,12}$/.test(given) && bump > 0) return bump;
  throw new UsageError(`invalid argument ${JSON.stringify(given)} for --${bumpFlag.name}: must be between 1 and 999999999999`);
}
