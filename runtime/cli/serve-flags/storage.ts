import { boolean, duration, file, oneOf, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (In the place of kube-apiserver's etcd flags: pkg/server/options/etcd.go) */
export const storageFlags: readonly ServeFlag[] = [
  {
    name: 'storage',
    option: 'storage',
    value: oneOf(['lmdb', 'memory'], 'lmdb'),
    about: 'Where to store objects: on disk, or in memory until the server stops.',
  },
  { name: 'data-dir', option: 'dataDir', value: text('DIR', 'data'), about: 'Folder of the store on disk.' },
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
    name: 'compaction-window',
    option: 'compactionWindow',
    value: duration('5m', 1000),
    about: 'How long to keep history for watches and continue tokens.',
  },
];
