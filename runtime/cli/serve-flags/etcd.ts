import { commaSeparated, count, duration, file, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (pkg/server/options/etcd.go) */
export const etcdFlags: readonly ServeFlag[] = [
  {
    name: 'etcd-servers',
    option: 'etcdServers',
    value: commaSeparated('URLS'),
    about: 'The members of one cluster of etcd, separated by commas, as https://10.0.0.1:2379.',
  },
  {
    name: 'etcd-servers-overrides',
    option: 'etcdServersOverrides',
    value: commaSeparated('GROUP/RESOURCE#URLS'),
    about: 'Built-in resources that are in other clusters, as /events#http://10.0.0.2:2379;http://10.0.0.3:2379.',
  },
  {
    name: 'etcd-prefix',
    option: 'etcdPrefix',
    value: text('PATH', '/registry'),
    about: 'What all keys in etcd begin with.',
  },
  {
    name: 'etcd-cafile',
    option: 'etcdCafile',
    value: file(),
    about: 'The certificates that etcd is trusted by.',
  },
  {
    name: 'etcd-certfile',
    option: 'etcdCertfile',
    value: file(),
    about: 'The certificate by which etcd knows this server.',
  },
  { name: 'etcd-keyfile', option: 'etcdKeyfile', value: file(), about: 'The key of that certificate.' },
  {
    name: 'etcd-compaction-interval',
    option: 'etcdCompactionInterval',
    value: duration('5m'),
    about: 'Time between two compactions of etcd, which all its API servers agree upon. 0: this server makes none.',
  },
  {
    name: 'etcd-count-metric-poll-period',
    option: 'etcdCountMetricPollPeriod',
    value: duration('1m'),
    about: '0: no metrics of the number of objects. They are counted when they are asked for.',
  },
  {
    name: 'etcd-db-metric-poll-interval',
    option: 'etcdDbMetricPollInterval',
    value: duration('30s'),
    about: 'Without effect: the metric that it is for is hidden.',
  },
  {
    name: 'etcd-healthcheck-timeout',
    option: 'etcdHealthcheckTimeout',
    value: duration('2s'),
    about: 'How long etcd may take to answer when its health is checked.',
  },
  {
    name: 'etcd-readycheck-timeout',
    option: 'etcdReadycheckTimeout',
    value: duration('2s'),
    about: 'How long etcd may take to answer when its readiness is checked.',
  },
  {
    name: 'lease-reuse-duration-seconds',
    option: 'leaseReuseDurationSeconds',
    value: count(60),
    about: 'How long a lease of etcd is used for new objects that expire.',
  },
];
