import { UsageError } from '../flags.ts';
import { dataDir, dataDirFlag, type StoreAction } from './action.ts';

export const compact: StoreAction = {
  name: 'compact',
  about: 'discard history and free its disk space',
  flags: [
    dataDirFlag,
    {
      name: 'revision',
      type: 'string',
      value: 'N',
      about: 'Discard what only revisions before this one need. Default: the newest revision.',
    },
  ],
  async run(flags) {
    const text = flags.string('revision');
    const revision = text === undefined ? undefined : Number(text);
    if (revision !== undefined && (!Number.isSafeInteger(revision) || revision < 1)) {
      throw new UsageError(`invalid argument ${JSON.stringify(text)} for --revision: must be a revision, 1 or greater`);
    }
    const { compactStore } = await import('../../storage/lmdb/compact-store.ts');
    const report = await compactStore(dataDir(flags), revision);
    process.stdout.write(
      `revision ${report.revision}, compacted ${report.compactedRevision}, ${report.bytesBefore} -> ${report.bytesAfter} bytes\n`,
    );
  },
};
