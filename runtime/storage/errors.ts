/** The kinds of storage errors. A write whose expected revision does not match has a result, not an error. */
export type StorageErrorCode =
  /** The requested revision was compacted. */
  | 'compacted'
  /** The requested revision does not exist yet. */
  | 'future'
  /** The stored bytes are not an object, or the data directory is not a readable store. */
  | 'corrupt'
  /** The engine is closed or in use, or I/O failed. Nothing was written. */
  | 'unavailable'
  /**
   * The connection broke or a deadline passed during a write. The write has happened, happens later, or never happens.
   */
  | 'unknown-outcome';

export class StorageError extends Error {
  readonly isStorageError = true;
  /** Clients see the messages of unavailable stores and unknown outcomes, but of no other storage errors. */
  readonly isShownToClients: boolean;
  /** Whether the deadline of the call has passed. */
  readonly isTimeout: boolean;
  readonly code: StorageErrorCode;
  /** For `future`: the newest revision. For `compacted`: the newest unreadable revision. */
  readonly revision?: number;

  constructor(code: StorageErrorCode, message: string, revision?: number) {
    super(message);
    this.code = code;
    this.isShownToClients = code === 'unavailable' || code === 'unknown-outcome';
    this.isTimeout = this.isShownToClients && message === 'context deadline exceeded';
    if (revision !== undefined) this.revision = revision;
  }
}

export function isStorageError(error: unknown): error is StorageError {
  return typeof error === 'object' && error !== null && (error as StorageError).isStorageError === true;
}
