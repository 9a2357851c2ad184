/** How to reach a server and who to be there. */
export interface ClientOptions {
  /** As `https://127.0.0.1:6443`; a path prefix is kept. */
  readonly server: string;
  /** PEM of the authorities to trust; the system's when absent. */
  readonly ca?: string | Uint8Array;
  /** PEM of a client certificate, with its key. */
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  /** Bearer token. */
  readonly token?: string;
  /** The name to expect in the server's certificate, when it is not the host of `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Impersonation and the like: sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** Milliseconds until the first byte of an answer. Default 60,000; watches are not limited. */
  readonly timeout?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly timeoutSeconds?: number;
}

export interface WatchOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Where to start; without it the watch begins with the present state, as ADDED events. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: 'All';
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchOptions extends WriteOptions {
  /** Default `strategic`. */
  readonly type?: PatchType;
  /** Apply only: take fields over from other managers. */
  readonly force?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: 'All';
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface DeleteCollectionOptions extends DeleteOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface LogOptions extends CallOptions {
  readonly container?: string;
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly timestamps?: boolean;
}

/** One change. A failing watch throws a StatusError where Kubernetes sends an ERROR event. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}
