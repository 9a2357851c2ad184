/** What an audit backend does with events before it writes or sends them. Sizes are in bytes, times in milliseconds. */
export interface AuditBackendOptions {
  /**
   * `batch`: requests never wait, and events are dropped when too many wait. `blocking`: requests wait until their events
   * are written, or have failed. `blocking-strict`: a request fails if its first event cannot be written. Default:
   * `blocking` for the log, `batch` for the webhook.
   */
  readonly mode: 'batch' | 'blocking' | 'blocking-strict';
  /** How many events may wait. Default: 10,000. */
  readonly batchBufferSize: number;
  /** How many events are sent at once. Default: 1 for the log, 400 for the webhook. */
  readonly batchMaxSize: number;
  /** How long an event waits for others. Default: 0 for the log, half a minute for the webhook. */
  readonly batchMaxWait: number;
  /** Whether the number of batches is limited. Default: true for the webhook. */
  readonly batchThrottleEnable: boolean;
  /** Batches per second. Default: 10 for the webhook. */
  readonly batchThrottleQPS: number;
  /** Batches at once after a pause. Default: 15 for the webhook. */
  readonly batchThrottleBurst: number;
  /** Whether events and batches are kept small. Default: false. */
  readonly truncateEnabled: boolean;
  /** Default: 10 MiB. */
  readonly truncateMaxBatchSize: number;
  /** Events that are larger lose their bodies. Default: 100 KiB. */
  readonly truncateMaxEventSize: number;
  /** The API version of events: `audit.k8s.io/v1`. */
  readonly version: string;
}

type Prefixed<P extends string, T> = { readonly [K in keyof T & string as `${P}${Capitalize<K>}`]?: T[K] };

/** Which requests are written down, and where. (kube-apiserver: pkg/server/options/audit.go) */
export interface AuditOptions extends Prefixed<'auditLog', AuditBackendOptions>, Prefixed<'auditWebhook', AuditBackendOptions> {
  /** File with an audit.k8s.io/v1 Policy. Default: nothing is audited. */
  readonly auditPolicyFile?: string | undefined;
  /** The file of the log; `-` for standard output. Default: no log. */
  readonly auditLogPath?: string | undefined;
  /** `legacy` is one line of text for each event. Default: `json`. */
  readonly auditLogFormat?: 'legacy' | 'json' | undefined;
  /** Days that rotated files are kept; 0, the default, for ever. */
  readonly auditLogMaxAge?: number | undefined;
  /** How many rotated files are kept; 0, the default, for all. */
  readonly auditLogMaxBackup?: number | undefined;
  /** Megabytes after which the file is rotated. Default: 0, which means 100. */
  readonly auditLogMaxSize?: number | undefined;
  /** Whether rotated files are compressed. Default: false. */
  readonly auditLogCompress?: boolean | undefined;
  /** A kubeconfig that says where events are sent. Default: no webhook. */
  readonly auditWebhookConfigFile?: string | undefined;
  /** Milliseconds before a failed call is repeated for the first time. Default: ten seconds. */
  readonly auditWebhookInitialBackoff?: number | undefined;
}
