import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { type ParsedFlags, UsageError } from '../../machinery/options/flags.ts';
import type { StoreAction } from './action.ts';
import { dataDir, etcdPlaceOf, isEtcd, placeFlags } from './place-flags.ts';
import { withProgress } from './progress.ts';

export const check: StoreAction = {
  name: 'check',
  about: 'read the whole store; exit 1 if it is damaged',
  details: `A store on disk must not be in use. With --repair, the damaged data file is kept as data.mdb.damaged.
In etcd, every value must be one that can be decoded; those that are encrypted are not looked into.
`,
  flags: [
    ...placeFlags,
    {
      name: 'repair',
      type: 'boolean',
      about: 'On disk: make a new data file of what can be read, and name what cannot.',
    },
  ],
  async run(flags) {
    if (flags.boolean('repair')) return repair(flags);
    const { summary, problems } = isEtcd(flags) ? await checkEtcd(flags) : await checkLmdb(flags);
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.stdout.write(`${summary}: ${problems.length === 0 ? 'sound' : `${problems.length} problems`}\n`);
    if (problems.length > 0) process.exitCode = 1;
  },
};

interface CheckResult {
  readonly summary: string;
  /** The problems, one line each. */
  readonly problems: readonly string[];
}

async function checkLmdb(flags: ParsedFlags): Promise<CheckResult> {
  const { checkStore } = await import('../../storage/lmdb/check-store.ts');
  const { problems, revision, compactedRevision, keys, bytes, changes } = await checkStore(dataDir(flags));
  const summary = `${keys} objects of ${bytes} bytes, ${changes} changes, revision ${revision}, compacted ${compactedRevision}`;
  return { summary, problems };
}

const maxProblems = 1000;

async function checkEtcd(flags: ParsedFlags): Promise<CheckResult> {
  const { isEncrypted } = await import('../../storage/value/encrypt/identity.ts');
  const place = await etcdPlaceOf(flags);
  const codec = await place.codec();
  const snapshot = await place.snapshot();
  const problems: string[] = [];
  try {
    const { records, bytes } = await withProgress(`reading ${place.name}`, async (progress) => {
      for await (const page of snapshot.pages()) {
        progress.add(page);
        for (const { key, value } of page) {
          if (isEncrypted(value)) continue;
          const problem = await problemOf(() => codec.decode(value));
          if (problem !== undefined && problems.length < maxProblems) problems.push(`${key}: ${problem}`);
        }
      }
      return progress;
    });
    const { revision, compactedRevision } = snapshot;
    return {
      summary: `${records} objects of ${bytes} bytes, revision ${revision}, compacted ${compactedRevision}`,
      problems,
    };
  } finally {
    await snapshot.close();
  }
}

async function problemOf(decode: () => unknown): Promise<string | undefined> {
  try {
    await decode();
    return undefined;
  } catch (error) {
    if (isDecodeError(error)) return error.message;
    throw error;
  }
}

async function repair(flags: ParsedFlags): Promise<void> {
  if (isEtcd(flags)) throw new UsageError('--repair is for stores on disk');
  const { repairStore } = await import('../../storage/lmdb/repair-store.ts');
  const { losses, saved, revision, damagedFile } = await repairStore(dataDir(flags));
  for (const loss of losses) process.stderr.write(`${loss}\n`);
  process.stdout.write(`saved ${saved} objects at revision ${revision}, ${losses.length} problems; the old data file is ${damagedFile}\n`);
}
