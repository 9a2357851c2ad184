import type { Destination } from '../../storage/backup/convert.ts';
import type { Engine } from '../../storage/kv/engine.ts';
import type { StoreSnapshot } from '../../storage/kv/snapshot.ts';

/** A store that an action works on. */
export interface StorePlace extends Destination {
  /** For messages. */
  readonly name: string;
  /** The newest state, which servers may go on to change. */
  snapshot(): Promise<StoreSnapshot>;
  /** The newest state, which nothing changes before the snapshot is closed, as far as that can be had. */
  lastSnapshot(): Promise<StoreSnapshot>;
  /**
   * Makes a store where none is, whose revisions are after `revision`.
   *
   * @param onRevision hears how far that is, if it takes long
   */
  fill<T>(revision: number, fill: (engine: Engine) => Promise<T>, onRevision: (reached: number) => void): Promise<T>;
}
