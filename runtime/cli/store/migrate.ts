import { type ParsedFlags, UsageError } from '../../machinery/options/flags.ts';
import type { RecordSum } from '../../storage/backup/record-digest.ts';
import { StorageError } from '../../storage/errors.ts';
import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';
import type { StoreAction } from './action.ts';
import { checkSource, fillPlace, sumOf } from './fill-place.ts';
import type { StorePlace } from './place.ts';
import { etcdPlaceOf, isEtcd, lmdbPlaceOf, placeFlags, valueFlags } from './place-flags.ts';

export const migrate: StoreAction = {
  name: 'migrate',
  about: 'copy a store from disk to etcd, or from etcd to disk; no server may run',
  details: `Objects get new revisions, which are after all that were. The other store must be empty. Both are compared afterwards. The first
one stays as it is.
`,
  flags: [
    { name: 'to', type: 'string', value: 'etcd|lmdb', about: 'Where the objects are copied to.' },
    {
      name: 'from',
      type: 'string',
      value: 'etcd|lmdb',
      about: 'Where they are copied from. Either of the two is enough.',
    },
    ...placeFlags,
    ...valueFlags,
  ],
  async run(flags) {
    const toEtcd = directionOf(flags);
    if (!isEtcd(flags)) throw new UsageError('store migrate needs --etcd-servers');
    const places = [lmdbPlaceOf(flags), await etcdPlaceOf(flags)] as const;
    const [from, to] = toEtcd ? places : [places[1], places[0]];
    await copy(from, to);
  },
};

async function copy(from: StorePlace, to: StorePlace): Promise<void> {
  const snapshot = await from.lastSnapshot();
  try {
    await checkSource(to, snapshot, `reading ${from.name}`);
    const copied = await fillPlace(to, snapshot, snapshot.revision);
    const found = await sumOf(to);
    if (found.lasting !== copied.lasting || found.digest !== copied.digest) {
      throw new StorageError('corrupt', `${to.name} does not have what was written to it: copy again to an empty one`);
    }
    if (from.engine === 'etcd') await requireUnchanged(from, snapshot, copied);
    process.stdout.write(`${copied.records} records are in ${to.name}, at revision ${copied.revision}\n`);
  } finally {
    await snapshot.close();
  }
}

/** Throws if the source changed during the copy: servers may write to etcd meanwhile. */
async function requireUnchanged(from: StorePlace, { revision }: StoreSnapshot, copied: RecordSum): Promise<void> {
  const now = await sumOf(from);
  if (now.newest <= revision && now.lasting === copied.lasting) return;
  throw new StorageError(
    'unavailable',
    `${from.name} has changed since revision ${revision}, which was copied: stop all servers, and copy again to an empty store`,
  );
}

/** Reports whether the store is copied to etcd. */
function directionOf(flags: ParsedFlags): boolean {
  const [to, from] = [engineOf(flags, 'to'), engineOf(flags, 'from')];
  if (to === undefined && from === undefined) throw new UsageError('store migrate needs --to or --from');
  if (to === from) throw new UsageError('--to and --from must be different');
  return to === 'etcd' || from === 'lmdb';
}

function engineOf(flags: ParsedFlags, name: 'to' | 'from'): 'etcd' | 'lmdb' | undefined {
  const given = flags.string(name);
  if (given === undefined || given === 'etcd' || given === 'lmdb') return given;
  throw new UsageError(`invalid argument ${JSON.stringify(given)} for --${name}: must be etcd or lmdb`);
}
