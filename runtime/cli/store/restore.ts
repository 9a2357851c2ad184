import type { StoreAction } from './action.ts';
import { checkSource, fillPlace } from './fill-place.ts';
import { bumpFlag, bumpOf } from './new-revision.ts';
import { placeFlags, placeOf, valueFlags } from './place-flags.ts';

export const restore: StoreAction = {
  name: 'restore',
  about: 'make a store of a backup, where none is',
  details: `The folder, or the part of etcd, must be empty. Revisions never go back: those of the new store begin after the
backup's by --bump-revision, so that clients that saw what happened after the backup notice, and list everything again. Before anything is written, all of the backup is read: each key must be one of the store, and each value
an object.
`,
  parameters: ['FILE'],
  flags: [...placeFlags, ...valueFlags, bumpFlag],
  async run(flags) {
    const [path = ''] = flags.positionals;
    const place = await placeOf(flags);
    const bump = bumpOf(flags, place.engine);
    const { openBackup } = await import('../../storage/backup/read-backup.ts');
    const snapshot = await openBackup(path);
    try {
      await checkSource(place, snapshot, 'reading the backup');
      const { records, revision } = await fillPlace(place, snapshot, snapshot.revision + bump);
      process.stdout.write(`${records} records are in ${place.name}, at revision ${revision}\n`);
    } finally {
      await snapshot.close();
    }
  },
};
