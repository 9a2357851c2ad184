import { type Tree, treePut, treeRemove } from '../mvcc/ordered-tree.ts';
import type { CachedObject } from './cached-object.ts';

/** One change of one object; at least one side is there. */
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

  /** What is no longer there, with this change's revision: the object of a DELETED event, one for all watchers. */
  get deletedObject(): CachedObject {
    this.#deletedObject ??= (this.previous as CachedObject).at(this.revision);
    return this.#deletedObject;
  }
}

/** As it is kept: an object whose first state this is stands for its creation. Of many changes, most are creations. */
type KeptChange = ObjectChange | CachedObject;

function keep(change: ObjectChange): KeptChange {
  return change.previous === undefined ? change.object : change;
}

function told(kept: KeptChange): ObjectChange {
  return kept instanceof ObjectChange ? kept : new ObjectChange(kept.revision, kept, undefined);
}

export interface TreeMark {
  /** How many changes are in it, of all there ever were. */
  readonly position: number;
  readonly root: Tree<CachedObject>;
}

/**
 * Every so many changes the tree is kept. Keeping each would cost about a kilobyte a change in copied paths; with
 * 8,192 between them it is 0.1 to 0.2, and the way to any revision at most 4,096 changes, about 5 ms.
 */
const checkpointEvery = 8192;

/** Trees that were listed from: what continue tokens come back for. */
const maxHanded = 64;

/**
 * The changes of one collection within the compaction window, and its tree at any revision in it.
 *
 *     changes   |c1|c2|c3| ... |cn|
 *     trees         ^checkpoint  ^handed out  ^live
 *
 * The tree at a revision is the nearest one kept, with the changes between undone or redone.
 */
export class History {
  #changes: KeptChange[] = [];
  /** How many changes were forgotten: the position of the first one kept. */
  #forgotten = 0;
  #checkpoints: TreeMark[] = [];
  #handed: TreeMark[] = [];

  get length(): number {
    return this.#changes.length;
  }

  /** Notes a change; `root` is the tree with it. True where the root is kept. */
  push(change: ObjectChange, root: Tree<CachedObject>): boolean {
    this.#changes.push(keep(change));
    if (this.end % checkpointEvery !== 0) return false;
    this.#checkpoints.push({ position: this.end, root });
    return true;
  }

  /** Notes a change that is in the live tree already, while loading: it makes no checkpoint. */
  pushLoaded(change: ObjectChange): void {
    this.#changes.push(keep(change));
  }

  /** The position behind the last change. */
  get end(): number {
    return this.#forgotten + this.#changes.length;
  }

  /** Changes after `revision`, in order. */
  *after(revision: number): Generator<ObjectChange, void, undefined> {
    for (let at = this.#upTo(revision); at < this.#changes.length; at += 1) yield told(this.#changes[at]);
  }

  find(revision: number): ObjectChange | undefined {
    const change = this.#changes[this.#upTo(revision) - 1];
    return change?.revision === revision ? told(change) : undefined;
  }

  /** The tree with the changes up to `revision`; `live` is the one with all. */
  treeAt(revision: number, live: Tree<CachedObject>): TreeMark {
    const position = this.#forgotten + this.#upTo(revision);
    let nearest: TreeMark = { position: this.end, root: live };
    for (const marks of [this.#checkpoints, this.#handed]) {
      for (const mark of marks) {
        if (Math.abs(mark.position - position) < Math.abs(nearest.position - position)) nearest = mark;
      }
    }
    return { position, root: this.#walk(nearest, position) };
  }

  /** Keeps a tree that is likely to be asked for again. */
  remember(mark: TreeMark): void {
    const at = this.#handed.findIndex(({ position }) => position === mark.position);
    if (at >= 0) this.#handed.splice(at, 1);
    else if (this.#handed.length >= maxHanded) this.#handed.shift();
    this.#handed.push(mark);
  }

  /** All changes kept, as of now. */
  all(): readonly ObjectChange[] {
    return this.#changes.map(told);
  }

  /** Drops what only revisions before `oldest` need, and gives it. */
  forget(oldest: number): readonly ObjectChange[] {
    const count = this.#upTo(oldest);
    if (count === 0) return [];
    const forgotten = this.#changes.slice(0, count).map(told);
    this.#changes = this.#changes.slice(count);
    this.#forgotten += count;
    const kept = ({ position }: TreeMark) => position >= this.#forgotten;
    this.#checkpoints = this.#checkpoints.filter(kept);
    this.#handed = this.#handed.filter(kept);
    return forgotten;
  }

  #walk(from: TreeMark, to: number): Tree<CachedObject> {
    let { position, root } = from;
    while (position > to) {
      position -= 1;
      const { previous, object } = told(this.#changes[position - this.#forgotten]);
      root = previous === undefined ? treeRemove(root, object.orderKey) : treePut(root, previous);
    }
    while (position < to) {
      const { current, object } = told(this.#changes[position - this.#forgotten]);
      root = current === undefined ? treeRemove(root, object.orderKey) : treePut(root, current);
      position += 1;
    }
    return root;
  }

  /** How many of the changes kept have at most this revision. */
  #upTo(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#changes[middle].revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
