import { commaSeparated, count, duration, file, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (pkg/server/options/etcd.go) */
export const etcdOptions: readonly OptionRow[] = [
  {
    option: 'etcdServers',
    flag: 'etcd-servers',
    value: commaSeparated('URLS'),
    about: 'The members of one cluster of etcd, separated by commas, as https://10.0.0.1:2379.',
    doc: 'URLs of the members of one cluster, for example `https://10.0.0.1:2379`.',
  },
  {
    option: 'etcdServersOverrides',
    flag: 'etcd-servers-overrides',
    value: commaSeparated('GROUP/RESOURCE#URLS'),
    about: 'Built-in resources that are in other clusters, as /events#http://10.0.0.2:2379;http://10.0.0.3:2379.',
    doc: 'Built-in resources in other clusters, for example `/events#http://10.0.0.2:2379;http://10.0.0.3:2379`.',
  },
  {
    option: 'etcdPrefix',
    flag: 'etcd-prefix',
    value: text('PATH', '/registry'),
    about: 'What all keys in etcd begin with.',
    doc: 'The prefix of all keys. Default: `/registry`.',
  },
  {
    option: 'etcdCafile',
    flag: 'etcd-cafile',
    value: file(),
    about: 'The certificates that etcd is trusted by.',
    doc: "A file with the CAs of etcd's certificates. Default: the system's CAs.",
  },
  {
    option: 'etcdCertfile',
    flag: 'etcd-certfile',
    value: file(),
    about: 'The certificate by which etcd knows this server.',
    doc: 'The client certificate for etcd. It is read for every connection. Default: none.',
  },
  {
    option: 'etcdKeyfile',
    flag: 'etcd-keyfile',
    value: file(),
    about: 'The key of that certificate.',
    doc: 'The key of the client certificate.',
  },
  {
    option: 'etcdCompactionInterval',
    flag: 'etcd-compaction-interval',
    value: duration('5m'),
    about: 'Time between two compactions of etcd, which all its API servers agree upon. 0: this server makes none.',
    doc: 'Milliseconds between two compactions; 0 disables compaction by this server. Default: five minutes.',
  },
  {
    option: 'etcdCountMetricPollPeriod',
    flag: 'etcd-count-metric-poll-period',
    value: duration('1m'),
    about: '0: no metrics of the number of objects. They are counted when they are asked for.',
    doc: '0 disables metrics of the number of objects. Other values have no effect: objects are counted at a scrape. Default: a minute.',
  },
  {
    option: 'etcdDbMetricPollInterval',
    flag: 'etcd-db-metric-poll-interval',
    value: duration('30s'),
    about: 'Without effect: the metric that it is for is hidden.',
    doc: 'No effect: its metric has been hidden since 1.28. Default: 30 seconds.',
  },
  {
    option: 'etcdHealthcheckTimeout',
    flag: 'etcd-healthcheck-timeout',
    value: duration('2s'),
    about: 'How long etcd may take to answer when its health is checked.',
    doc: 'Milliseconds for the check `etcd`. Default: 2,000.',
  },
  {
    option: 'etcdReadycheckTimeout',
    flag: 'etcd-readycheck-timeout',
    value: duration('2s'),
    about: 'How long etcd may take to answer when its readiness is checked.',
    doc: 'Milliseconds for the check `etcd-readiness`. Default: 2,000.',
  },
  {
    option: 'leaseReuseDurationSeconds',
    flag: 'lease-reuse-duration-seconds',
    value: count(60),
    about: 'How long a lease of etcd is used for new objects that expire.',
    doc: 'Seconds for which new expiring objects share a lease. Default: 60.',
  },
];
