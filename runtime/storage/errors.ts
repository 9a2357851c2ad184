/** The closed set of ways storage fails. Guards that do not hold are results, not errors. */
export type StorageErrorCode =
  /** The revision asked for was compacted away. */
  | 'compacted'
  /** The revision asked for has not happened yet. */
  | 'future'
  /** The stored bytes are not an object, or the data directory is not a store that can be read. */
  | 'corrupt'
  /** The engine is closed or in use, or its medium failed; nothing was written. */
  | 'unavailable';

export class StorageError extends Error {
  readonly isStorageError = true;
  readonly code: StorageErrorCode;
  /** The newest revision, for `future`; the newest unreadable one, for `compacted`. */
  readonly revision?: number;

  constructor(code: StorageErrorCode, message: string, revision?: number) {
    super(message);
    this.code = code;
    if (revision !== undefined) this.revision = revision;
  }
}

export function isStorageError(error: unknown): error is StorageError {
  return typeof error === 'object' && error !== null && (error as StorageError).isStorageError === true;
}
