import type { SnapshotFileOptions } from './snapshot-text.ts';

/** Saves the objects of a server as a file. */
export interface SnapshotFiles {
  /**
   * Writes all objects to a YAML file for the start of another server: `startServer({ snapshot: path })`. Unchanged
   * objects that every fresh server has are left out.
   */
  saveSnapshot(path: string, options?: SnapshotFileOptions): Promise<void>;
}
