import { dataDir, dataDirFlag, type StoreAction } from './action.ts';

export const check: StoreAction = {
  name: 'check',
  about: 'read the whole store; exit 1 if it is inconsistent',
  flags: [dataDirFlag],
  async run(flags) {
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
