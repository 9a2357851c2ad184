import { etcdFlags } from './etcd.ts';
import { boolean, duration, file, oneOf, text } from './flag-values.ts';
import type { FlagValue, ServeFlag } from './serve-flag.ts';

const engine = oneOf(['lmdb', 'memory', 'etcd'], 'lmdb');

/** The default depends on --etcd-servers. */
const storage: FlagValue<'lmdb' | 'memory' | 'etcd'> = {
  type: engine.type,
  value: engine.value,
  read(flags, name) {
    if (flags.string(name) !== undefined) return engine.read(flags, name);
    return flags.list('etcd-servers').length > 0 ? 'etcd' : 'lmdb';
  },
};

/** (pkg/server/options/etcd.go) */
export const storageFlags: readonly ServeFlag[] = [
  {
    name: 'storage',
    option: 'storage',
    value: storage,
    about:
      'Where to store objects: on disk (the default), in memory until the server stops, or in etcd (the default if ' +
      'there are --etcd-servers).',
  },
  { name: 'data-dir', option: 'dataDir', value: text('DIR', 'data'), about: 'Folder of the store on disk.' },
  ...etcdFlags,
  {
    name: 'encryption-provider-config',
    option: 'encryptionProviderConfig',
    value: file(),
    about: 'EncryptionConfiguration: which objects are encrypted in the store, with which keys.',
  },
  {
    name: 'encryption-provider-config-automatic-reload',
    option: 'encryptionProviderConfigAutomaticReload',
    value: boolean(false),
    about: 'Read --encryption-provider-config again when it changes.',
  },
  {
    name: 'storage-media-type',
    option: 'storageMediaType',
    value: text('TYPE', 'application/vnd.kubernetes.protobuf'),
    about: 'What built-in kinds are in etcd: that, application/json or application/yaml. Other stores have JSON.',
  },
  {
    name: 'unsafe-no-fsync',
    option: 'unsafeNoFsync',
    value: boolean(false),
    about: 'Acknowledge writes before they are on disk. A power failure may lose the last writes. For tests.',
  },
  {
    name: 'event-ttl',
    option: 'eventTTL',
    value: duration('1h'),
    about: 'How long to keep an Event that is not written again.',
  },
  {
    name: 'compaction-window',
    option: 'compactionWindow',
    value: duration('5m', 1000),
    about: 'How long to keep history for watches and continue tokens.',
  },
  {
    name: 'history',
    option: 'history',
    value: oneOf(['window', 'all'], 'window'),
    about: 'Which history to keep: that of --compaction-window, or all, in memory too, to be read at any resourceVersion.',
  },
];
