import * as types from '../machinery/options/option-type.ts';
import { etcdOptions } from './etcd.ts';
import { boolean, duration, type FlagValue, file, oneOf, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

const engine = oneOf(['lmdb', 'memory', 'etcd'], 'lmdb');

/** The storage engine. The default depends on --etcd-servers. */
const storage: FlagValue<'lmdb' | 'memory' | 'etcd'> = {
  type: engine.type,
  value: engine.value,
  check: engine.check,
  read(flags, name) {
    if (flags.string(name) !== undefined) return engine.read(flags, name);
    return flags.list('etcd-servers').length > 0 ? 'etcd' : 'lmdb';
  },
};

/** (pkg/server/options/etcd.go) */
export const storageOptions: readonly OptionRow[] = [
  {
    option: 'storage',
    flag: 'storage',
    value: storage,
    check: types.oneOf('memory', 'lmdb', 'etcd'),
    about:
      'Where to store objects: on disk (the default), in memory until the server stops, or in etcd (the default if ' +
      'there are --etcd-servers).',
    doc: 'The storage engine. Default: etcd if `etcdServers` is set, otherwise memory.',
  },
  {
    option: 'dataDir',
    flag: 'data-dir',
    value: text('DIR', 'data'),
    about: 'Folder of the store on disk.',
    doc: 'The folder of the LMDB store. It is created if it does not exist. Default: `data`.',
  },
  ...etcdOptions,
  {
    option: 'encryptionProviderConfig',
    flag: 'encryption-provider-config',
    value: file(),
    about: 'EncryptionConfiguration with the resources to encrypt in the store, and their keys.',
    doc: 'The path of an EncryptionConfiguration. Default: stored objects are not encrypted.',
  },
  {
    option: 'encryptionProviderConfigAutomaticReload',
    flag: 'encryption-provider-config-automatic-reload',
    value: boolean(false),
    about: 'Read --encryption-provider-config again when it changes.',
    doc: 'Reads the encryption configuration again when it changes. Default: false.',
  },
  {
    option: 'storageMediaType',
    flag: 'storage-media-type',
    value: text('TYPE', 'application/vnd.kubernetes.protobuf'),
    about: 'Format of built-in kinds in etcd. Also: application/json, application/yaml. Other stores have JSON.',
    doc:
      'The format of built-in kinds in etcd: application/json, application/yaml, or application/vnd.kubernetes.protobuf (the ' +
      'default). Other engines always store JSON.',
  },
  {
    option: 'unsafeNoFsync',
    flag: 'unsafe-no-fsync',
    value: boolean(false),
    about: 'Acknowledge writes before they are on disk. A power failure may lose the last writes. For tests.',
    doc: 'Runs LMDB without fsync: a crash may lose the last writes. Default: false.',
  },
  {
    option: 'eventTTL',
    flag: 'event-ttl',
    value: duration('1h'),
    about: 'How long to keep an Event that is not written again.',
    doc: 'Milliseconds after which an Event that is not written again is deleted. Default: an hour.',
  },
  {
    option: 'compactionWindow',
    flag: 'compaction-window',
    value: duration('5m', 1000),
    check: types.milliseconds(),
    about: 'How long to keep history for watches and continue tokens.',
    doc: 'Milliseconds for which history stays readable, for watches and continue tokens. Default: five minutes.',
  },
  {
    option: 'history',
    flag: 'history',
    value: oneOf(['window', 'all'], 'window'),
    about: 'window keeps the history of --compaction-window. all keeps every revision readable, and needs memory for all changes.',
    doc:
      '`all` disables compaction by the server. Every revision can be listed and watched, and gets may have ' +
      'resourceVersionMatch=Exact. All changes stay in memory. Default: `window`, which keeps `compactionWindow`.',
  },
];
