import { type Path, type PathElement, sortElements } from './path-element.ts';

/** One step below a set: whether the field itself is a member, and which fields below it are. Never changed. */
export interface FieldNode {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

const leaf: FieldNode = { member: true, children: undefined };

/**
 * A set of paths, as a tree. A field that is a member says nothing of the fields below it, nor they of it. Operations
 * return new sets, or one of the old where nothing differs; parts are shared, so `insert` is for sets that are being
 * built. (structured-merge-diff fieldpath/set.go)
 */
export class FieldSet {
  static readonly empty = new FieldSet();
  readonly #nodes = new Map<PathElement, FieldNode>();

  static of(...paths: Path[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds the path, not its parents. The empty path is no member of anything. */
  insert(path: Path): void {
    let set: FieldSet = this;
    for (let depth = 0; depth < path.length - 1; depth++) set = set.#descend(path[depth]);
    if (path.length > 0) set.add(path[path.length - 1]);
  }

  #descend(element: PathElement): FieldSet {
    const node = this.#nodes.get(element);
    if (node?.children) return node.children;
    const children = new FieldSet();
    this.#nodes.set(element, { member: node?.member ?? false, children });
    return children;
  }

  /** Makes a field of this level a member, with what is already below it. */
  add(element: PathElement): void {
    const children = this.#nodes.get(element)?.children;
    this.#nodes.set(element, children === undefined ? leaf : { member: true, children });
  }

  /** Puts what is known of a field in this level; nothing when it is no member and nothing below it is. */
  put(element: PathElement, member: boolean, children: FieldSet | undefined): void {
    const below = children === undefined || children.isEmpty ? undefined : children;
    if (below !== undefined) this.#nodes.set(element, { member, children: below });
    else if (member) this.#nodes.set(element, leaf);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** How many members there are, at every depth. */
  get size(): number {
    let count = 0;
    for (const { member, children } of this.#nodes.values()) count += (member ? 1 : 0) + (children?.size ?? 0);
    return count;
  }

  node(element: PathElement): FieldNode | undefined {
    return this.#nodes.get(element);
  }

  /** This level, in no particular order. */
  nodes(): IterableIterator<[PathElement, FieldNode]> {
    return this.#nodes.entries();
  }

  /** This level's elements, in the order of path elements. */
  sortedElements(): PathElement[] {
    return sortElements([...this.#nodes.keys()]);
  }

  has(path: Path): boolean {
    let set: FieldSet | undefined = this;
    for (let depth = 0; depth < path.length - 1 && set; depth++) set = set.node(path[depth])?.children;
    return path.length > 0 && set?.node(path[path.length - 1])?.member === true;
  }

  /** Members, parents before what is below them, a level's members before those further down. */
  paths(): Path[] {
    const found: Path[] = [];
    this.#collect([], found);
    return found;
  }

  #collect(prefix: Path, found: Path[]): void {
    const elements = this.sortedElements();
    for (const element of elements) if (this.node(element)?.member) found.push([...prefix, element]);
    for (const element of elements) {
      const children = this.node(element)?.children;
      if (children) children.#collect([...prefix, element], found);
    }
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const out = this.#copy();
    let changed = false;
    for (const [element, theirs] of other.#nodes) {
      const ours = this.#nodes.get(element);
      const node = ours === undefined ? theirs : unionOf(ours, theirs);
      if (node === ours) continue;
      out.#nodes.set(element, node);
      changed = true;
    }
    return changed ? out : this;
  }

  #copy(): FieldSet {
    const copy = new FieldSet();
    for (const [element, node] of this.#nodes) copy.#nodes.set(element, node);
    return copy;
  }

  /** What is in any of many sets, in the time of one look at each: `union` one after another copies what it has so far. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    if (sets.length <= 2) return sets.length === 0 ? FieldSet.empty : sets[0].union(sets[sets.length - 1]);
    const found = new Map<PathElement, FieldNode | FieldNode[]>();
    for (const set of sets) {
      for (const [element, node] of set.#nodes) {
        const others = found.get(element);
        if (others === undefined) found.set(element, node);
        else if (Array.isArray(others)) others.push(node);
        else found.set(element, [others, node]);
      }
    }
    const out = new FieldSet();
    for (const [element, nodes] of found) {
      if (!Array.isArray(nodes)) out.#nodes.set(element, nodes);
      else {
        const below = nodes.flatMap(({ children }) => children ?? []);
        out.put(
          element,
          nodes.some(({ member }) => member),
          FieldSet.unionOf(below),
        );
      }
    }
    return out;
  }

  intersection(other: FieldSet): FieldSet {
    const out = new FieldSet();
    const [few, many] = this.#nodes.size <= other.#nodes.size ? [this, other] : [other, this];
    for (const [element, node] of few.#nodes) {
      const twin = many.#nodes.get(element);
      if (twin === undefined) continue;
      const children = node.children && twin.children ? node.children.intersection(twin.children) : undefined;
      out.put(element, node.member && twin.member, children);
    }
    return out;
  }

  /** Members of this set that the other has not. A member stays when only fields below it are in the other. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** As `difference`, and everything below the members of the other goes too. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#without(other, true);
  }

  #without(other: FieldSet, recursive: boolean): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const out = new FieldSet();
    let changed = false;
    for (const [element, node] of this.#nodes) {
      const twin = other.#nodes.get(element);
      const left = twin === undefined ? node : remainder(node, twin, recursive);
      if (left !== node) changed = true;
      if (left !== undefined) out.#nodes.set(element, left);
    }
    return changed ? out : this;
  }

  /** Members below which there are none. */
  leaves(): FieldSet {
    const out = new FieldSet();
    for (const [element, { member, children }] of this.#nodes) {
      out.put(element, member && children === undefined, children?.leaves());
    }
    return out;
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (other.#nodes.size !== this.#nodes.size) return false;
    for (const [element, node] of this.#nodes) {
      const twin = other.#nodes.get(element);
      if (twin === undefined || !sameNode(node, twin)) return false;
    }
    return true;
  }

  toString(): string {
    return this.paths()
      .map((path) => path.join(' '))
      .join('\n');
  }
}

function unionOf(ours: FieldNode, theirs: FieldNode): FieldNode {
  const children = ours.children && theirs.children ? ours.children.union(theirs.children) : undefined;
  const below = children ?? ours.children ?? theirs.children;
  const member = ours.member || theirs.member;
  if (member === ours.member && below === ours.children) return ours;
  return below === undefined ? leaf : { member, children: below };
}

/** What is left of a node when another is taken away; undefined for nothing. */
function remainder(node: FieldNode, taken: FieldNode, recursive: boolean): FieldNode | undefined {
  if (recursive && taken.member) return undefined;
  const member = node.member && !taken.member;
  let { children } = node;
  if (children && taken.children) {
    children = recursive ? children.recursiveDifference(taken.children) : children.difference(taken.children);
  }
  if (children?.isEmpty) children = undefined;
  if (member === node.member && children === node.children) return node;
  if (children === undefined) return member ? leaf : undefined;
  return { member, children };
}

function sameNode(left: FieldNode, right: FieldNode): boolean {
  if (left === right) return true;
  if (left.member !== right.member) return false;
  if (left.children === undefined || right.children === undefined) return left.children === right.children;
  return left.children.equals(right.children);
}
