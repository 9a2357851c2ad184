import type { Duplex } from 'node:stream';

/** How to connect to a server, and as whom. */
export interface ClientOptions extends ClientCredentials {
  /** As `https://127.0.0.1:6443`. May have a path, which prefixes all others. */
  readonly server: string;
  /** The proxy that requests go through. Default: the one that the environment names. */
  readonly proxyUrl?: string;
  /** Opens a connection, in place of TCP, to a `server` with http. */
  readonly connect?: () => Duplex;
}

/** How to connect to any server, and as whom. */
export interface ClientCredentials {
  /** PEM of the certificate authorities to trust. Default: the system's. */
  readonly ca?: string | Uint8Array;
  /** PEM of a client certificate and its key. */
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
  /** Bearer token. */
  readonly token?: string;
  /** The file of a bearer token that may change. Takes the place of `token`, which is sent if the file cannot be read. */
  readonly tokenFile?: string;
  /** Basic authentication, which kube-apiserver does not have, but webhooks may. */
  readonly username?: string;
  readonly password?: string;
  /** The name expected in the server's certificate. Default: the host of `server`. */
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Sent with every request, as impersonation headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** Milliseconds to wait for the response. Default: 60,000. Watches are not limited. */
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
  readonly fieldSelector?: string | undefined;
  /** The revision to start from. Default: the watch begins with the existing objects, as ADDED events. */
  readonly resourceVersion?: string | undefined;
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
  /** Default: `strategic`. */
  readonly type?: PatchType;
  /** Apply only: take over fields of other managers. */
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

/** A change. An ERROR event of the server is thrown as a StatusError instead. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}
