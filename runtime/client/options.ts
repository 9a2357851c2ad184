import type { Duplex } from 'node:stream';

/** The server, the connection to it, and the credentials. */
export interface ClientOptions extends ClientCredentials {
  /** The server's URL: `https://127.0.0.1:6443`. A path in it prefixes all others. */
  readonly server: string;
  /** The proxy for requests. Default: the proxy in the environment. */
  readonly proxyUrl?: string | undefined;
  /** Opens a connection in place of TCP, to a `server` with http. */
  readonly connect?: () => Duplex;
}

/** Credentials and TLS settings, independent of the server. */
export interface ClientCredentials {
  /** PEM of the certificate authorities to trust. Default: the system's. */
  readonly ca?: string | Uint8Array | undefined;
  /** PEM of a client certificate and its key. */
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
  /** Bearer token. */
  readonly token?: string | undefined;
  /** A file with a bearer token that may change. It replaces `token`, which is sent if the file cannot be read. */
  readonly tokenFile?: string | undefined;
  /** Basic authentication. Webhooks may support it; kube-apiserver does not. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The name expected in the server's certificate. Default: the host of `server`. */
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Headers for every request, such as impersonation headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly userAgent?: string | undefined;
  /** Milliseconds to wait for the response. Default: 60,000. Watches have no limit. */
  readonly timeout?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string | undefined;
}

export interface ListOptions extends CallOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WatchOptions extends CallOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The revision to start from. Default: the watch begins with the existing objects, as ADDED events. */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: 'All' | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface PatchOptions extends WriteOptions {
  /** Default: `strategic`. */
  readonly type?: PatchType | undefined;
  /** Whether to take over fields of other managers. Only for `apply`. */
  readonly force?: boolean | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: 'All' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

export interface DeleteCollectionOptions extends DeleteOptions {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface LogOptions extends CallOptions {
  readonly container?: string | undefined;
  readonly previous?: boolean | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly sinceTime?: string | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly timestamps?: boolean | undefined;
}

/** A change. An ERROR event of the server is thrown as a StatusError instead. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}
