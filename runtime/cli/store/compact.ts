import { type ParsedFlags, UsageError } from '../../machinery/options/flags.ts';
import type { StoreAction } from './action.ts';
import { dataDir, etcdPlaceOf, isEtcd, placeFlags } from './place-flags.ts';

export const compact: StoreAction = {
  name: 'compact',
  about: 'discard history and free its disk space',
  details: `A store on disk must not be in use. In etcd, history is that of all its users; then one member after the other is
defragmented, and answers nobody meanwhile.
`,
  flags: [
    ...placeFlags,
    {
      name: 'revision',
      type: 'string',
      value: 'N',
      about: 'Discard what only revisions before this one need. Default: the newest revision.',
    },
  ],
  async run(flags) {
    const revision = revisionOf(flags);
    await (isEtcd(flags) ? compactEtcd(flags, revision) : compactLmdb(dataDir(flags), revision));
  },
};

function revisionOf(flags: ParsedFlags): number | undefined {
  const text = flags.string('revision');
  const revision = text === undefined ? undefined : Number(text);
  if (revision === undefined || (Number.isSafeInteger(revision) && revision >= 1)) return revision;
  throw new UsageError(`invalid argument ${JSON.stringify(text)} for --revision: must be a revision, 1 or greater`);
}

async function compactLmdb(dir: string, revision: number | undefined): Promise<void> {
  const { compactStore } = await import('../../storage/lmdb/compact-store.ts');
  const report = await compactStore(dir, revision);
  process.stdout.write(
    `revision ${report.revision}, compacted ${report.compactedRevision}, ${report.bytesBefore} -> ${report.bytesAfter} bytes\n`,
  );
}

async function compactEtcd(flags: ParsedFlags, revision: number | undefined): Promise<void> {
  const { compactEtcd } = await import('../../storage/etcd/compact-etcd.ts');
  const client = (await etcdPlaceOf(flags)).newClient();
  try {
    const report = await compactEtcd(client, revision);
    process.stdout.write(`revision ${report.revision}, compacted ${report.compactedRevision}\n`);
    for await (const { url, bytesBefore, bytesAfter } of report.defragmented) {
      process.stdout.write(`${url}: ${bytesBefore} -> ${bytesAfter} bytes\n`);
    }
  } finally {
    client.close();
  }
}
