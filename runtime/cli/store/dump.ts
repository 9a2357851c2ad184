import { messageOf } from '../../machinery/errors/message-of.ts';
import type { SnapshotRecord } from '../../storage/kv/snapshot.ts';
import type { StorageCodec } from '../../storage/storage-codec/storage-codec.ts';
import type { StoreAction } from './action.ts';
import { placeFlags, placeOf } from './place-flags.ts';

export const dump: StoreAction = {
  name: 'dump',
  about: 'print a line of JSON for each object: key, revisions, object; servers may run meanwhile',
  details: `The lines show one revision. In place of an object, "encrypted" is its value in base64 if it is encrypted, and "undecodable"
if it cannot be decoded, with the reason in "error".
`,
  flags: [...placeFlags, { name: 'prefix', type: 'string', value: 'KEY', about: 'Only keys with this prefix.' }],
  async run(flags) {
    const { isEncrypted } = await import('../../storage/value/encrypt/identity.ts');
    const place = await placeOf(flags);
    const codec = place.engine === 'etcd' ? await place.codec() : undefined;
    const snapshot = await place.snapshot();
    try {
      for await (const page of snapshot.pages(flags.string('prefix'))) {
        const lines = await Promise.all(
          page.map((record) => (isEncrypted(record.value) ? base64(record, 'encrypted') : objectLine(record, codec))),
        );
        if (!process.stdout.write(lines.join(''))) {
          await new Promise((resolve) => process.stdout.once('drain', resolve));
        }
      }
    } finally {
      await snapshot.close();
    }
  },
};

/** Returns a line with the stored bytes. JSON is not decoded. */
async function objectLine(record: SnapshotRecord, codec: StorageCodec | undefined): Promise<string> {
  try {
    const json = codec === undefined ? record.value : await codec.decode(record.value);
    return line(record, `"object":${Buffer.from(json).toString('utf8')}`);
  } catch (error) {
    return base64(record, 'undecodable', messageOf(error));
  }
}

function base64(record: SnapshotRecord, member: string, error?: string): string {
  const text = `"${member}":"${Buffer.from(record.value).toString('base64')}"`;
  return line(record, error === undefined ? text : `${text},"error":${JSON.stringify(error)}`);
}

function line({ key, createRevision, modRevision }: SnapshotRecord, members: string): string {
  return `${JSON.stringify({ key, createRevision, modRevision }).slice(0, -1)},${members}}\n`;
}
