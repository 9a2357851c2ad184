import { dataDir, dataDirFlag, type StoreAction } from './action.ts';

export const check: StoreAction = {
  name: 'check',
  about: 'read the whole store; exit 1 if it is damaged',
  details: 'With --repair, the damaged data file is kept as data.mdb.damaged.\n',
  flags: [
    dataDirFlag,
    {
      name: 'repair',
      type: 'boolean',
      about: 'Make a new data file of what can be read, and name what cannot.',
    },
  ],
  async run(flags) {
    if (flags.boolean('repair')) return repair(dataDir(flags));
    const { checkStore } = await import('../../storage/lmdb/check-store.ts');
    const { problems, revision, compactedRevision, keys, bytes, changes } = await checkStore(dataDir(flags));
    for (const problem of problems) process.stderr.write(`${problem}\n`);
    process.stdout.write(
      `${keys} objects of ${bytes} bytes, ${changes} changes, revision ${revision}, compacted ${compactedRevision}: ` +
        `${problems.length === 0 ? 'sound' : `${problems.length} problems`}\n`,
    );
    if (problems.length > 0) process.exitCode = 1;
  },
};

async function repair(dir: string): Promise<void> {
  const { repairStore } = await import('../../storage/lmdb/repair-store.ts');
  const { losses, saved, revision, damagedFile } = await repairStore(dir);
  for (const loss of losses) process.stderr.write(`${loss}\n`);
  process.stdout.write(
    `saved ${saved} objects at revision ${revision}, ${losses.length} problems; the old data file is ${damagedFile}\n`,
  );
}
