import { boolean, count, duration, file, float, oneOf, text } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

type Prefix = 'auditLog' | 'auditWebhook';

/** What differs between the two backends. */
interface BackendDefaults {
  readonly mode: 'batch' | 'blocking';
  readonly maxSize: number;
  readonly maxWait: string;
  readonly throttles: boolean;
  readonly qps: number;
  readonly burst: number;
}

const modes = ['batch', 'blocking', 'blocking-strict'] as const;

/** (AuditBatchOptions, AuditTruncateOptions) */
function backendFlags(plugin: 'log' | 'webhook', prefix: Prefix, defaults: BackendDefaults): readonly ServeFlag[] {
  return [
    {
      name: `audit-${plugin}-mode`,
      option: `${prefix}Mode`,
      value: oneOf(modes, defaults.mode),
      about:
        'batch: requests never wait for their events, which are dropped if too many wait. blocking: responses wait. ' +
        'blocking-strict: a request fails if its first event cannot be stored.',
    },
    {
      name: `audit-${plugin}-batch-buffer-size`,
      option: `${prefix}BatchBufferSize`,
      value: count(10_000),
      about: 'How many events may wait. Only in batch mode.',
    },
    {
      name: `audit-${plugin}-batch-max-size`,
      option: `${prefix}BatchMaxSize`,
      value: count(defaults.maxSize),
      about: 'How many events are sent at once. Only in batch mode.',
    },
    {
      name: `audit-${plugin}-batch-max-wait`,
      option: `${prefix}BatchMaxWait`,
      value: duration(defaults.maxWait),
      about: 'How long an event waits for others. Only in batch mode.',
    },
    {
      name: `audit-${plugin}-batch-throttle-enable`,
      option: `${prefix}BatchThrottleEnable`,
      value: boolean(defaults.throttles),
      about: 'Whether the number of batches is limited. Only in batch mode.',
    },
    {
      name: `audit-${plugin}-batch-throttle-qps`,
      option: `${prefix}BatchThrottleQPS`,
      value: float(defaults.qps),
      about: 'The most batches per second on average. Only in batch mode.',
    },
    {
      name: `audit-${plugin}-batch-throttle-burst`,
      option: `${prefix}BatchThrottleBurst`,
      value: count(defaults.burst),
      about: 'The most batches at once, after a pause. Only in batch mode.',
    },
    {
      name: `audit-${plugin}-truncate-enabled`,
      option: `${prefix}TruncateEnabled`,
      value: boolean(false),
      about: 'Whether large events lose their bodies, and large batches are split.',
    },
    {
      name: `audit-${plugin}-truncate-max-batch-size`,
      option: `${prefix}TruncateMaxBatchSize`,
      value: count(10 * 1024 * 1024),
      about: 'The most bytes of a batch.',
    },
    {
      name: `audit-${plugin}-truncate-max-event-size`,
      option: `${prefix}TruncateMaxEventSize`,
      value: count(100 * 1024),
      about: 'The most bytes of an event. An event that is larger without its bodies is dropped.',
    },
    {
      name: `audit-${plugin}-version`,
      option: `${prefix}Version`,
      value: text('GROUP/VERSION', 'audit.k8s.io/v1'),
      about: 'The API version of events.',
    },
  ];
}

/** (kube-apiserver: pkg/server/options/audit.go) */
export const auditFlags: readonly ServeFlag[] = [
  {
    name: 'audit-policy-file',
    option: 'auditPolicyFile',
    value: file(),
    about: 'Policy that says which requests are audited. Default: none are.',
  },
  {
    name: 'audit-log-path',
    option: 'auditLogPath',
    value: file(),
    about: 'File that audit events are written to. -: standard output.',
  },
  {
    name: 'audit-log-format',
    option: 'auditLogFormat',
    value: oneOf(['json', 'legacy'], 'json'),
    about: 'json: a JSON object for each event. legacy: a line of text.',
  },
  {
    name: 'audit-log-maxage',
    option: 'auditLogMaxAge',
    value: count(0),
    about: 'Days that rotated audit logs are kept. 0: for ever.',
  },
  {
    name: 'audit-log-maxbackup',
    option: 'auditLogMaxBackup',
    value: count(0),
    about: 'How many rotated audit logs are kept. 0: all.',
  },
  {
    name: 'audit-log-maxsize',
    option: 'auditLogMaxSize',
    value: count(0),
    about: 'Megabytes after which the audit log is rotated. 0: 100.',
  },
  {
    name: 'audit-log-compress',
    option: 'auditLogCompress',
    value: boolean(false),
    about: 'Compress rotated audit logs with gzip.',
  },
  ...backendFlags('log', 'auditLog', {
    mode: 'blocking',
    maxSize: 1,
    maxWait: '0s',
    throttles: false,
    qps: 0,
    burst: 0,
  }),
  {
    name: 'audit-webhook-config-file',
    option: 'auditWebhookConfigFile',
    value: file(),
    about: 'Kubeconfig of the server that audit events are sent to.',
  },
  {
    name: 'audit-webhook-initial-backoff',
    option: 'auditWebhookInitialBackoff',
    value: duration('10s'),
    about: 'How long to wait before a failed call is repeated for the first time.',
  },
  ...backendFlags('webhook', 'auditWebhook', {
    mode: 'batch',
    maxSize: 400,
    maxWait: '30s',
    throttles: true,
    qps: 10,
    burst: 15,
  }),
];
