import type { Destination } from '../../storage/backup/convert.ts';
import type { Engine } from '../../storage/kv/engine.ts';
import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';

/** A store that an action works on. */
export interface StorePlace extends Destination {
  /** The name for messages. */
  readonly name: string;
  /** Returns a snapshot of the newest state. Servers may continue to write. */
  snapshot(): Promise<StoreSnapshot>;
  /** Returns a snapshot of the newest state, and prevents writes until it is closed, if possible. */
  lastSnapshot(): Promise<StoreSnapshot>;
  /**
   * Makes a new store whose revisions are after `revision`.
   *
   * @param onRevision receives the reached revision if this takes long
   */
  fill<T>(revision: number, fill: (engine: Engine) => Promise<T>, onRevision: (reached: number) => void): Promise<T>;
}
