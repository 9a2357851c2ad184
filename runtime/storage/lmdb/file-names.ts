/* The files of a data directory. */

/** LMDB's name for the data file. */
export const dataName = 'data.mdb';

/** LMDB's name for the lock file. */
export const lockName = 'lock.mdb';

/** The file that identifies the directory in plain text, before LMDB maps the data file. */
export const markerName = 'store.json';

/** The file whose lock marks the owner of a data directory. It remains when the owner ends. */
export const ownerName = 'owner.lock';
