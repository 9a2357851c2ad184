import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { dataDir, dataDirFlag, type StoreAction } from './action.ts';
import { type Progress, withProgress } from './progress.ts';

/** More writes than a store is likely to have seen since its backup. (What etcd's manual advises for --bump-revision) */
const defaultBump = 1_000_000_000;

export const restore: StoreAction = {
  name: 'restore',
  about: 'make a store of a backup, in an empty folder',
  details: `Revisions never go back: those of the new store begin after the backup's by --bump-revision, so that clients
that saw what happened after the backup notice, and list everything again.
`,
  parameters: ['FILE'],
  flags: [
    dataDirFlag,
    {
      name: 'bump-revision',
      type: 'string',
      value: 'N',
      default: String(defaultBump),
      about: 'More revisions than the store had after the backup.',
    },
  ],
  async run(flags) {
    const [path] = flags.positionals;
    const bump = bumpOf(flags);
    const { openBackup } = await import('../../storage/backup/read-backup.ts');
    const snapshot = await openBackup(path);
    try {
      // before anything is written: a damaged file restores nothing
      await withProgress('reading the backup', (progress) => readAll(snapshot, progress));
      const dir = dataDir(flags);
      const revision = await restored(dir, snapshot, bump);
      process.stdout.write(`${revision.records} records are in ${dir}, at revision ${revision.newest}\n`);
    } finally {
      await snapshot.close();
    }
  },
};

async function restored(dir: string, snapshot: StoreSnapshot, bump: number) {
  const { makeLmdbStore } = await import('../../storage/lmdb/new-store.ts');
  const { fillEngine } = await import('../../storage/backup/fill-engine.ts');
  return withProgress('restore', (progress) =>
    makeLmdbStore(dir, snapshot.revision + bump, async (engine) => {
      const { records } = await fillEngine(engine, snapshot, Date.now(), progress);
      return { records, newest: engine.revision() };
    }),
  );
}

async function readAll(snapshot: StoreSnapshot, progress: Progress): Promise<void> {
  for await (const page of snapshot.pages()) progress.add(page);
}

function bumpOf(flags: ParsedFlags): number {
  const given = flags.string('bump-revision') ?? '';
  const bump = Number(given);
  if (!/^\d{1,12}$/.test(given) || bump === 0) {
    throw new UsageError(
      `invalid argument ${JSON.stringify(given)} for --bump-revision: must be between 1 and 999999999999`,
    );
  }
  return bump;
}
