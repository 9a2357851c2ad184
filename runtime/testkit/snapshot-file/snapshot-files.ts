import type { SnapshotFileOptions } from './snapshot-text.ts';

/** How the objects of a server become a file. */
export interface SnapshotFiles {
  /**
   * Writes all objects to a file of YAML, with which another server can begin: `startServer({ snapshot: path })`. Objects that every
   * fresh server has, and that nobody has changed, are left out.
   */
  saveSnapshot(path: string, options?: SnapshotFileOptions): Promise<void>;
}
