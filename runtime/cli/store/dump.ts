import type { SnapshotRecord } from '../../storage/kv/snapshot.ts';
import { dataDir, dataDirFlag, type StoreAction } from './action.ts';

export const dump: StoreAction = {
  name: 'dump',
  about: 'print a line of JSON for each object: key, revisions, object (encrypted: in base64)',
  details: 'The server may run meanwhile: the lines show one revision.\n',
  flags: [dataDirFlag, { name: 'prefix', type: 'string', value: 'KEY', about: 'Only keys with this prefix.' }],
  async run(flags) {
    const { openLmdbSnapshot } = await import('../../storage/lmdb/snapshot.ts');
    const { isEncrypted } = await import('../../storage/value/encrypt/identity.ts');
    const snapshot = await openLmdbSnapshot(dataDir(flags));
    try {
      for await (const page of snapshot.pages(flags.string('prefix'))) {
        const lines = page.map((record) => line(record, isEncrypted(record.value)));
        if (!process.stdout.write(lines.join(''))) {
          await new Promise((resolve) => process.stdout.once('drain', resolve));
        }
      }
    } finally {
      await snapshot.close();
    }
  },
};

function line({ key, value, createRevision, modRevision }: SnapshotRecord, isEncrypted: boolean): string {
  const head = JSON.stringify({ key, createRevision, modRevision });
  // the stored bytes, without decoding them
  const object = isEncrypted
    ? `"encrypted":"${Buffer.from(value).toString('base64')}"`
    : `"object":${Buffer.from(value).toString('utf8')}`;
  return `${head.slice(0, -1)},${object}}\n`;
}
