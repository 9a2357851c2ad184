import type { StoreAction } from './action.ts';
import { placeFlags, placeOf } from './place-flags.ts';
import { withProgress } from './progress.ts';

export const backup: StoreAction = {
  name: 'backup',
  about: 'write all objects, at one revision, to a file; servers may run meanwhile',
  details: `The file is complete when it appears under its name, and replaces an older one. Only its owner can read it.
Encrypted objects stay encrypted: keep the keys elsewhere.
`,
  parameters: ['FILE'],
  flags: placeFlags,
  async run(flags) {
    const [path = ''] = flags.positionals;
    const { writeBackup } = await import('../../storage/backup/write-backup.ts');
    const created = new Date();
    const snapshot = await (await placeOf(flags)).snapshot();
    try {
      const { records, bytes } = await withProgress('backup', async (progress) => {
        await writeBackup(path, snapshot, created, progress);
        return progress;
      });
      process.stdout.write(`${records} records of ${bytes} bytes at revision ${snapshot.revision} are in ${path}\n`);
    } finally {
      await snapshot.close();
    }
  },
};
