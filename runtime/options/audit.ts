import { boolean, count, duration, file, float, oneOf, text } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { flagText, flagWhole } from './option-types.ts';

type Prefix = 'auditLog' | 'auditWebhook';

/** The defaults in which the two backends differ. */
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
function backendOptions(plugin: 'log' | 'webhook', prefix: Prefix, defaults: BackendDefaults): readonly OptionRow[] {
  return [
    {
      option: `${prefix}Mode`,
      flag: `audit-${plugin}-mode`,
      value: oneOf(modes, defaults.mode),
      check: flagText<'batch' | 'blocking' | 'blocking-strict'>(),
      type: "'batch' | 'blocking' | 'blocking-strict'",
      about:
        'batch: requests never wait for their events, which are dropped if too many wait. blocking: responses wait. ' +
        'blocking-strict: a request fails if its first event cannot be stored.',
      doc:
        '`batch`: requests never wait, and events are dropped when too many wait. `blocking`: requests wait until their events ' +
        'are written, or have failed. `blocking-strict`: a request fails if its first event cannot be written. ' +
        `Default: \`${defaults.mode}\`.`,
    },
    {
      option: `${prefix}BatchBufferSize`,
      flag: `audit-${plugin}-batch-buffer-size`,
      value: count(10_000),
      about: 'How many events may wait. Only in batch mode.',
      doc: 'How many events may wait. Only in batch mode. Default: 10,000.',
    },
    {
      option: `${prefix}BatchMaxSize`,
      flag: `audit-${plugin}-batch-max-size`,
      value: count(defaults.maxSize),
      about: 'How many events are sent at once. Only in batch mode.',
      doc: `How many events are sent at once. Only in batch mode. Default: ${defaults.maxSize}.`,
    },
    {
      option: `${prefix}BatchMaxWait`,
      flag: `audit-${plugin}-batch-max-wait`,
      value: duration(defaults.maxWait),
      about: 'How long an event waits for others. Only in batch mode.',
      doc: `How long an event waits for others, in milliseconds. Only in batch mode. Default: ${defaults.maxWait}.`,
    },
    {
      option: `${prefix}BatchThrottleEnable`,
      flag: `audit-${plugin}-batch-throttle-enable`,
      value: boolean(defaults.throttles),
      about: 'Whether the number of batches is limited. Only in batch mode.',
      doc: `Whether the number of batches is limited. Only in batch mode. Default: ${defaults.throttles}.`,
    },
    {
      option: `${prefix}BatchThrottleQPS`,
      flag: `audit-${plugin}-batch-throttle-qps`,
      value: float(defaults.qps),
      about: 'The most batches per second on average. Only in batch mode.',
      doc: `The most batches per second on average. Only in batch mode. Default: ${defaults.qps}.`,
    },
    {
      option: `${prefix}BatchThrottleBurst`,
      flag: `audit-${plugin}-batch-throttle-burst`,
      value: count(defaults.burst),
      about: 'The most batches at once, after a pause. Only in batch mode.',
      doc: `The most batches at once, after a pause. Only in batch mode. Default: ${defaults.burst}.`,
    },
    {
      option: `${prefix}TruncateEnabled`,
      flag: `audit-${plugin}-truncate-enabled`,
      value: boolean(false),
      about: 'Whether large events lose their bodies, and large batches are split.',
      doc: 'Whether large events lose their bodies, and large batches are split. Default: false.',
    },
    {
      option: `${prefix}TruncateMaxBatchSize`,
      flag: `audit-${plugin}-truncate-max-batch-size`,
      value: count(10 * 1024 * 1024),
      about: 'The most bytes of a batch.',
      doc: 'The most bytes of a batch. Default: 10 MiB.',
    },
    {
      option: `${prefix}TruncateMaxEventSize`,
      flag: `audit-${plugin}-truncate-max-event-size`,
      value: count(100 * 1024),
      about: 'The most bytes of an event. An event that is larger without its bodies is dropped.',
      doc: 'The most bytes of an event. A larger one loses its bodies, or is dropped. Default: 100 KiB.',
    },
    {
      option: `${prefix}Version`,
      flag: `audit-${plugin}-version`,
      value: text('GROUP/VERSION', 'audit.k8s.io/v1'),
      about: 'The API version of events.',
      doc: 'The API version of events. Default: `audit.k8s.io/v1`.',
    },
  ];
}

/** (kube-apiserver: pkg/server/options/audit.go) */
export const auditOptions: readonly OptionRow[] = [
  {
    option: 'auditPolicyFile',
    flag: 'audit-policy-file',
    value: file(),
    about: 'Policy that says which requests are audited. Default: none are.',
    doc: 'File with an audit.k8s.io/v1 Policy. Default: nothing is audited.',
  },
  {
    option: 'auditLogPath',
    flag: 'audit-log-path',
    value: file(),
    about: 'File that audit events are written to. -: standard output.',
    doc: 'The file of the log; `-` for standard output. Default: no log.',
  },
  {
    option: 'auditLogFormat',
    flag: 'audit-log-format',
    value: oneOf(['json', 'legacy'], 'json'),
    check: flagText(),
    type: "'legacy' | 'json'",
    about: 'json: a JSON object for each event. legacy: a line of text.',
    doc: '`legacy` is one line of text for each event. Default: `json`.',
  },
  {
    option: 'auditLogMaxAge',
    flag: 'audit-log-maxage',
    value: count(0),
    check: flagWhole,
    about: 'Days that rotated audit logs are kept. 0: for ever.',
    doc: 'Days for which rotated files are kept; 0, the default, for ever.',
  },
  {
    option: 'auditLogMaxBackup',
    flag: 'audit-log-maxbackup',
    value: count(0),
    check: flagWhole,
    about: 'How many rotated audit logs are kept. 0: all.',
    doc: 'The most rotated files; 0, the default, for no limit.',
  },
  {
    option: 'auditLogMaxSize',
    flag: 'audit-log-maxsize',
    value: count(0),
    check: flagWhole,
    about: 'Megabytes after which the audit log is rotated. 0: 100.',
    doc: 'Megabytes after which the file is rotated. Default: 0, which means 100.',
  },
  {
    option: 'auditLogCompress',
    flag: 'audit-log-compress',
    value: boolean(false),
    about: 'Compress rotated audit logs with gzip.',
    doc: 'Whether rotated files are compressed. Default: false.',
  },
  ...backendOptions('log', 'auditLog', {
    mode: 'blocking',
    maxSize: 1,
    maxWait: '0s',
    throttles: false,
    qps: 0,
    burst: 0,
  }),
  {
    option: 'auditWebhookConfigFile',
    flag: 'audit-webhook-config-file',
    value: file(),
    about: 'Kubeconfig of the server that audit events are sent to.',
    doc: 'A kubeconfig with the address of the webhook. Default: no webhook.',
  },
  {
    option: 'auditWebhookInitialBackoff',
    flag: 'audit-webhook-initial-backoff',
    value: duration('10s'),
    about: 'How long to wait before a failed call is repeated for the first time.',
    doc: 'Milliseconds before the first retry of a failed call. Default: 10,000.',
  },
  ...backendOptions('webhook', 'auditWebhook', {
    mode: 'batch',
    maxSize: 400,
    maxWait: '30s',
    throttles: true,
    qps: 10,
    burst: 15,
  }),
];
