import { elementAt } from '../../machinery/collections/element-at.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { countUpTo } from '../mvcc/count-up-to.ts';
import { type Tree, treePut, treeRemove } from '../mvcc/ordered-tree.ts';
import type { CachedObject } from './cached-object.ts';

/** One change of one object. At least one of `current` and `previous` is present. (cacher watchCacheEvent) */
export class ObjectChange {
  readonly revision: number;
  readonly current: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  #deletedObject: CachedObject | undefined;

  constructor(revision: number, current: CachedObject | undefined, previous: CachedObject | undefined) {
    this.revision = revision;
    this.current = current;
    this.previous = previous;
  }

  get object(): CachedObject {
    return (this.current ?? this.previous) as CachedObject;
  }

  /** `previous` with this change's revision: the object of a DELETED event. All watchers share it. */
  get deletedObject(): CachedObject {
    this.#deletedObject ??= (this.previous as CachedObject).at(this.revision);
    return this.#deletedObject;
  }
}

/** A change in memory. A creation, the most frequent change, is stored as the object itself. */
type RetainedChange = ObjectChange | CachedObject;

function toRetained(change: ObjectChange): RetainedChange {
  return change.previous === undefined ? change.object : change;
}

function fromRetained(retained: RetainedChange): ObjectChange {
  return retained instanceof ObjectChange ? retained : new ObjectChange(retained.revision, retained, undefined);
}

/** A retained tree. */
export interface TreeCheckpoint {
  /** The number of changes in the tree, counted from the very first one. */
  readonly position: number;
  readonly root: Tree<CachedObject>;
}

/**
 * The number of changes between checkpoints. A checkpoint after every change would cost about a kilobyte of copied
 * paths per change. Every 8,192 changes, it costs 0.1 to 0.2 KB per change, and any revision is at most 4,096 changes
 * away: about 5 ms.
 */
const checkpointInterval = 8192;

/** The number of changes undone between looks at the clock; a divisor of `checkpointInterval`. */
const walkedAtOnce = 256;

/** The most retained trees of lists, to which continue tokens return. */
const maxListed = 64;

/**
 * The changes of one collection within the compaction window, and its tree at any revision in it.
 *
 *     changes   |c1|c2|c3| ... |cn|
 *     trees         ^checkpoint  ^listed  ^live
 *
 * The tree at a revision is derived from the nearest retained tree by undoing or redoing the changes between them.
 */
export class History {
  #changes: RetainedChange[] = [];
  /** The number of discarded changes: the position of the first retained one. */
  #discarded = 0;
  #checkpoints: TreeCheckpoint[] = [];
  #listed: TreeCheckpoint[] = [];

  /** Adds a change; `root` is the tree after it. Returns true if the root became a checkpoint. */
  push(change: ObjectChange, root: Tree<CachedObject>): boolean {
    this.#changes.push(toRetained(change));
    if (this.end % checkpointInterval !== 0) return false;
    this.#checkpoints.push({ position: this.end, root });
    return true;
  }

  /** Adds a change that the live tree already contains. Makes no checkpoint. */
  pushLoaded(change: ObjectChange): void {
    this.#changes.push(toRetained(change));
  }

  /**
   * Makes the checkpoints of loaded changes. Yields to the event loop between chunks.
   *
   * @param live the tree with all changes
   */
  async addLoadedCheckpoints(live: Tree<CachedObject>): Promise<void> {
    if (this.#changes.length < checkpointInterval) return;
    const slice = new TimeSlice();
    let at: TreeCheckpoint = { position: this.end, root: live };
    const made: TreeCheckpoint[] = [];
    for (;;) {
      const position = Math.max(Math.ceil(at.position / walkedAtOnce) - 1, 0) * walkedAtOnce;
      // the change was discarded meanwhile, or is the first one
      if (position <= this.#discarded) break;
      at = { position, root: this.#walk(at, position) };
      if (position % checkpointInterval === 0) made.push(at);
      if (slice.isOver) await slice.next();
    }
    const isRetained = ({ position }: TreeCheckpoint): boolean => position >= this.#discarded;
    this.#checkpoints = [...made.reverse().filter(isRetained), ...this.#checkpoints];
  }

  /** The position after the last change. */
  get end(): number {
    return this.#discarded + this.#changes.length;
  }

  /** Yields the changes after `revision`, in order. */
  *after(revision: number): Generator<ObjectChange, void, undefined> {
    for (let at = this.#upTo(revision), change = this.#changes[at]; change !== undefined; change = this.#changes[at]) {
      yield fromRetained(change);
      at += 1;
    }
  }

  /** Returns the change of one object at a revision. */
  find(revision: number, orderKey: string): ObjectChange | undefined {
    for (let at = this.#upTo(revision) - 1, retained = this.#changes[at]; retained?.revision === revision; retained = this.#changes[at]) {
      const change = fromRetained(retained);
      if (change.object.orderKey === orderKey) return change;
      at -= 1;
    }
    return undefined;
  }

  /**
   * Returns the tree with the changes up to `revision`.
   *
   * @param live the tree with all changes
   */
  treeAt(revision: number, live: Tree<CachedObject>): TreeCheckpoint {
    const position = this.#discarded + this.#upTo(revision);
    let nearest: TreeCheckpoint = { position: this.end, root: live };
    for (const checkpoints of [this.#checkpoints, this.#listed]) {
      for (const checkpoint of checkpoints) {
        if (Math.abs(checkpoint.position - position) < Math.abs(nearest.position - position)) nearest = checkpoint;
      }
    }
    return { position, root: this.#walk(nearest, position) };
  }

  /** Retains the tree of a list. */
  retainListed(checkpoint: TreeCheckpoint): void {
    const at = this.#listed.findIndex(({ position }) => position === checkpoint.position);
    if (at >= 0) this.#listed.splice(at, 1);
    else if (this.#listed.length >= maxListed) this.#listed.shift();
    this.#listed.push(checkpoint);
  }

  /** Returns all retained changes. */
  all(): readonly ObjectChange[] {
    return this.#changes.map(fromRetained);
  }

  /** Discards the changes that only revisions before `oldest` need, and returns them. */
  discardBefore(oldest: number): readonly ObjectChange[] {
    const count = this.#upTo(oldest);
    if (count === 0) return [];
    const discarded = this.#changes.slice(0, count).map(fromRetained);
    this.#changes = this.#changes.slice(count);
    this.#discarded += count;
    const isRetained = ({ position }: TreeCheckpoint) => position >= this.#discarded;
    this.#checkpoints = this.#checkpoints.filter(isRetained);
    this.#listed = this.#listed.filter(isRetained);
    return discarded;
  }

  #walk(from: TreeCheckpoint, to: number): Tree<CachedObject> {
    let { position, root } = from;
    while (position > to) {
      position -= 1;
      const { previous, object } = fromRetained(elementAt(this.#changes, position - this.#discarded));
      root = previous === undefined ? treeRemove(root, object.orderKey) : treePut(root, previous);
    }
    while (position < to) {
      const { current, object } = fromRetained(elementAt(this.#changes, position - this.#discarded));
      root = current === undefined ? treeRemove(root, object.orderKey) : treePut(root, current);
      position += 1;
    }
    return root;
  }

  /** Returns the number of retained changes up to a revision. */
  #upTo(revision: number): number {
    // most calls are about the newest change
    const last = this.#changes[this.#changes.length - 1];
    if (last === undefined || last.revision <= revision) return this.#changes.length;
    return countUpTo(revision, this.#changes.length, (at) => this.#changes[at]?.revision ?? Number.POSITIVE_INFINITY);
  }
}
