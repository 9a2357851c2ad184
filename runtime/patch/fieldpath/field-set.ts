import { type Path, type PathElement, sortPathElements } from './path-element.ts';

/** A path element in a set: whether its path is a member, and the set of paths below it. Immutable. */
export interface FieldNode {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

const leaf: FieldNode = { member: true, children: undefined };

/**
 * A set of paths, as a tree. Membership of a field is independent of its children's. Operations return new sets, or an
 * operand that equals the result. Sets share subtrees, so `insert`, `add` and `put` are only for sets under
 * construction. (structured-merge-diff fieldpath/set.go)
 */
export class FieldSet {
  static readonly empty = new FieldSet();
  readonly #nodes = new Map<PathElement, FieldNode>();

  static of(...paths: Path[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds the path, but not its parents. Ignores the empty path. */
  insert(path: Path): void {
    let set: FieldSet = this;
    let last: PathElement | undefined;
    for (const element of path) {
      if (last !== undefined) set = set.#descend(last);
      last = element;
    }
    if (last !== undefined) set.add(last);
  }

  #descend(element: PathElement): FieldSet {
    const node = this.#nodes.get(element);
    if (node?.children) return node.children;
    const children = new FieldSet();
    this.#nodes.set(element, { member: node?.member ?? false, children });
    return children;
  }

  /** Adds an element of this level and retains its children. */
  add(element: PathElement): void {
    const children = this.#nodes.get(element)?.children;
    this.#nodes.set(element, children === undefined ? leaf : { member: true, children });
  }

  /** Sets an element of this level. Does nothing if it is not a member and has no children. */
  put(element: PathElement, member: boolean, children: FieldSet | undefined): void {
    const nonEmptyChildren = children === undefined || children.isEmpty ? undefined : children;
    if (nonEmptyChildren !== undefined) this.#nodes.set(element, { member, children: nonEmptyChildren });
    else if (member) this.#nodes.set(element, leaf);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** The number of members at all levels. */
  get size(): number {
    let count = 0;
    for (const { member, children } of this.#nodes.values()) count += (member ? 1 : 0) + (children?.size ?? 0);
    return count;
  }

  node(element: PathElement): FieldNode | undefined {
    return this.#nodes.get(element);
  }

  /** The elements of this level, in no particular order. */
  nodes(): IterableIterator<[PathElement, FieldNode]> {
    return this.#nodes.entries();
  }

  /** The elements of this level, sorted. */
  sortedElements(): PathElement[] {
    return sortPathElements([...this.#nodes.keys()]);
  }

  has(path: Path): boolean {
    let set: FieldSet | undefined = this;
    let last: PathElement | undefined;
    for (const element of path) {
      if (last !== undefined) set = set?.node(last)?.children;
      last = element;
    }
    return last !== undefined && set?.node(last)?.member === true;
  }

  /** Returns all members. Parents precede children, and the members of a level precede those of deeper levels. */
  paths(): Path[] {
    const paths: Path[] = [];
    this.#collect([], paths);
    return paths;
  }

  #collect(prefix: Path, paths: Path[]): void {
    const elements = this.sortedElements();
    for (const element of elements) if (this.node(element)?.member) paths.push([...prefix, element]);
    for (const element of elements) {
      const children = this.node(element)?.children;
      if (children) children.#collect([...prefix, element], paths);
    }
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const out = this.#copy();
    let changed = false;
    for (const [element, theirs] of other.#nodes) {
      const ours = this.#nodes.get(element);
      const node = ours === undefined ? theirs : nodeUnion(ours, theirs);
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

  /** Returns the union of many sets in linear time. Repeated calls of `union` would copy the intermediate results. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    const [first, second, ...more] = sets;
    if (first === undefined) return FieldSet.empty;
    if (more.length === 0) return first.union(second ?? first);
    const nodesByElement = new Map<PathElement, FieldNode | FieldNode[]>();
    for (const set of sets) {
      for (const [element, node] of set.#nodes) {
        const others = nodesByElement.get(element);
        if (others === undefined) nodesByElement.set(element, node);
        else if (Array.isArray(others)) others.push(node);
        else nodesByElement.set(element, [others, node]);
      }
    }
    const out = new FieldSet();
    for (const [element, nodes] of nodesByElement) {
      if (!Array.isArray(nodes)) out.#nodes.set(element, nodes);
      else {
        const childSets = nodes.flatMap(({ children }) => children ?? []);
        out.put(
          element,
          nodes.some(({ member }) => member),
          FieldSet.unionOf(childSets),
        );
      }
    }
    return out;
  }

  intersection(other: FieldSet): FieldSet {
    const out = new FieldSet();
    const [smaller, larger] = this.#nodes.size <= other.#nodes.size ? [this, other] : [other, this];
    for (const [element, node] of smaller.#nodes) {
      const otherNode = larger.#nodes.get(element);
      if (otherNode === undefined) continue;
      const children = node.children && otherNode.children ? node.children.intersection(otherNode.children) : undefined;
      out.put(element, node.member && otherNode.member, children);
    }
    return out;
  }

  /** The members of this set that are not in the other one. Members whose children are in the other set remain. */
  difference(other: FieldSet): FieldSet {
    return this.#without(other, false);
  }

  /** As `difference`, but also removes all children of the members of the other set. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#without(other, true);
  }

  #without(other: FieldSet, recursive: boolean): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const out = new FieldSet();
    let changed = false;
    for (const [element, node] of this.#nodes) {
      const otherNode = other.#nodes.get(element);
      const remaining = otherNode === undefined ? node : nodeDifference(node, otherNode, recursive);
      if (remaining !== node) changed = true;
      if (remaining !== undefined) out.#nodes.set(element, remaining);
    }
    return changed ? out : this;
  }

  /** The members without children. */
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
      const otherNode = other.#nodes.get(element);
      if (otherNode === undefined || !nodesEqual(node, otherNode)) return false;
    }
    return true;
  }

  toString(): string {
    return this.paths()
      .map((path) => path.join(' '))
      .join('\n');
  }
}

function nodeUnion(ours: FieldNode, theirs: FieldNode): FieldNode {
  const children = ours.children && theirs.children ? ours.children.union(theirs.children) : undefined;
  const allChildren = children ?? ours.children ?? theirs.children;
  const member = ours.member || theirs.member;
  if (member === ours.member && allChildren === ours.children) return ours;
  return allChildren === undefined ? leaf : { member, children: allChildren };
}

/** Returns undefined if nothing remains. */
function nodeDifference(node: FieldNode, removed: FieldNode, recursive: boolean): FieldNode | undefined {
  if (recursive && removed.member) return undefined;
  const member = node.member && !removed.member;
  let { children } = node;
  if (children && removed.children) {
    children = recursive ? children.recursiveDifference(removed.children) : children.difference(removed.children);
  }
  if (children?.isEmpty) children = undefined;
  if (member === node.member && children === node.children) return node;
  if (children === undefined) return member ? leaf : undefined;
  return { member, children };
}

function nodesEqual(left: FieldNode, right: FieldNode): boolean {
  if (left === right) return true;
  if (left.member !== right.member) return false;
  if (left.children === undefined || right.children === undefined) return left.children === right.children;
  return left.children.equals(right.children);
}
