import { childPage, node, nodeFlags, overflow, page, pageFlags, pageHeader, type Tree } from './format.ts';
import type { PageFile } from './page-file.ts';

/** An entry of a tree. Its bytes are valid until the next entry is visited. */
export interface Entry {
  readonly key: Buffer;
  /** The value, or the description of a tree. */
  readonly value: Buffer;
  readonly isTree: boolean;
}

export interface WalkOptions {
  /** The name of the tree in messages. */
  readonly name: string;
  /** The transaction of the committed state. None of its pages may be newer. */
  readonly transaction: number;
  /** The order of keys. Default: by bytes. */
  readonly compare?: (a: Buffer, b: Buffer) => number;
  /** Called for each entry, in order. Returns the entry's problem. */
  readonly visit: (entry: Entry) => string | undefined;
  /** Called for each problem. The walk goes on with the readable rest. */
  readonly report: (problem: string) => void;
}

/** LMDB's own limit. */
const maxDepth = 32;

/**
 * Reads a tree and checks everything that LMDB relies on. A wrong page number or offset in a mapped file would make
 * LMDB read arbitrary memory, or crash.
 */
export class TreeWalk {
  readonly #file: PageFile;
  readonly #options: WalkOptions;
  readonly #compare: (a: Buffer, b: Buffer) => number;
  /** A page buffer for each level. */
  readonly #levels: Buffer[] = [];
  readonly #found = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
  /** The lower bound of the next key. The key may only be equal to a bound from a branch. */
  #low: { key: Buffer; isBound: boolean } = { key: Buffer.alloc(0), isBound: true };

  constructor(file: PageFile, options: WalkOptions) {
    this.#file = file;
    this.#options = options;
    this.#compare = options.compare ?? Buffer.compare;
  }

  run(tree: Tree): void {
    const found = this.#found;
    if (tree.root !== undefined) {
      if (tree.depth < 1 || tree.depth > maxDepth) this.#report(`its depth is ${tree.depth}`);
      else this.#page(tree.root, tree.depth);
    }
    for (const kind of ['branches', 'leaves', 'overflows', 'entries'] as const) {
      if (found[kind] !== tree[kind]) this.#report(`it has ${found[kind]} of ${tree[kind]} ${kind}`);
    }
  }

  #report(problem: string): void {
    this.#options.report(`${this.#options.name}: ${problem}`);
  }

  /** @param height 1 for a leaf */
  #page(number: number, height: number): void {
    this.#levels[height] ??= Buffer.alloc(this.#file.pageSize);
    const bytes = this.#levels[height];
    const problem = this.#readPage(number, height, bytes);
    if (problem !== undefined) this.#report(problem);
    else if (height === 1) this.#leaf(bytes, number);
    else this.#branch(bytes, number, height);
  }

  #readPage(number: number, height: number, bytes: Buffer): string | undefined {
    if (number >= this.#file.pages) return `page ${number} is missing, the file is truncated to ${this.#file.bytes} bytes`;
    if (!this.#file.claim(number)) return `page ${number} has two uses`;
    if (!this.#file.read(number, bytes)) return `page ${number} cannot be read`;
    const lower = bytes.readUInt16LE(page.lower);
    const upper = bytes.readUInt16LE(page.upper);
    const isSound =
      Number(bytes.readBigUInt64LE(page.number)) === number &&
      Number(bytes.readBigUInt64LE(page.transaction)) <= this.#options.transaction &&
      bytes.readUInt16LE(page.flags) === (height === 1 ? pageFlags.leaf : pageFlags.branch) &&
      lower >= 2 &&
      lower % 2 === 0 &&
      lower <= upper &&
      upper <= bytes.length - pageHeader;
    return isSound ? undefined : `page ${number} is not one of its pages`;
  }

  #branch(bytes: Buffer, number: number, height: number): void {
    this.#found.branches += 1;
    let size = 0;
    const count = bytes.readUInt16LE(page.lower) >> 1;
    for (let index = 0; index < count; index += 1) {
      const at = nodeAt(bytes, index);
      const end = at + node.key + (at + node.key <= bytes.length ? bytes.readUInt16LE(at + node.keySize) : 0);
      if (end > bytes.length) {
        this.#report(`page ${number} ends within a node`);
        continue;
      }
      size += even(end - at);
      // the first key of a branch is not used
      if (index > 0) this.#order(bytes.subarray(at + node.key, end), true, number);
      this.#page(childPage(bytes, at), height - 1);
    }
    this.#checkSize(bytes, number, size);
  }

  #leaf(bytes: Buffer, number: number): void {
    this.#found.leaves += 1;
    let size = 0;
    const count = bytes.readUInt16LE(page.lower) >> 1;
    for (let index = 0; index < count; index += 1) {
      const entry = leafEntry(bytes, nodeAt(bytes, index));
      if (entry === undefined) {
        this.#report(`page ${number} ends within an entry`);
        continue;
      }
      this.#found.entries += 1;
      size += entry.size;
      this.#order(entry.key, false, number);
      const value = entry.isBig ? this.#bigValue(entry.value, entry.valueSize) : entry.value;
      if (value === undefined) continue;
      const problem = this.#options.visit({ key: entry.key, value, isTree: entry.isTree });
      if (problem !== undefined) this.#report(problem);
    }
    this.#checkSize(bytes, number, size);
    this.#low = { key: Buffer.from(this.#low.key), isBound: this.#low.isBound };
  }

  #order(key: Buffer, isBound: boolean, number: number): void {
    const order = this.#compare(this.#low.key, key);
    if (order > 0 || (order === 0 && (isBound || !this.#low.isBound))) {
      this.#report(`page ${number} has keys that are not in order`);
    }
    this.#low = { key, isBound };
  }

  /** Checks that the nodes fill a page from its upper bound to its end. */
  #checkSize(bytes: Buffer, number: number, size: number): void {
    if (size !== bytes.length - pageHeader - bytes.readUInt16LE(page.upper)) {
      this.#report(`page ${number} has nodes of another size`);
    }
  }

  #bigValue(reference: Buffer, size: number): Buffer | undefined {
    const first = Number(reference.readBigUInt64LE(overflow.page));
    const pages = Number(reference.readBigUInt64LE(overflow.pages));
    const { pageSize } = this.#file;
    if (pages !== Math.ceil((pageHeader + size) / pageSize) || !this.#file.claim(first, pages)) {
      this.#report(`a value on page ${first} has pages that cannot be its own`);
      return undefined;
    }
    this.#found.overflows += pages;
    const bytes = Buffer.allocUnsafe(pageHeader + size);
    const { transaction } = this.#options;
    const isSound =
      Number(reference.readBigUInt64LE(overflow.transaction)) <= transaction &&
      this.#file.read(first, bytes) &&
      Number(bytes.readBigUInt64LE(page.transaction)) <= transaction &&
      Number(bytes.readBigUInt64LE(page.number)) === first &&
      bytes.readUInt16LE(page.flags) === pageFlags.overflow &&
      bytes.readUInt32LE(page.overflowPages) === pages;
    if (isSound) return bytes.subarray(pageHeader);
    this.#report(`page ${first} does not begin a value`);
    return undefined;
  }
}

const even = (size: number): number => size + (size & 1);

function nodeAt(bytes: Buffer, index: number): number {
  return pageHeader + bytes.readUInt16LE(pageHeader + index * 2);
}

/** Returns undefined if the entry is not within the page. */
function leafEntry(bytes: Buffer, at: number) {
  if (at + node.key > bytes.length) return undefined;
  const flags = bytes.readUInt16LE(at + node.flags);
  const keyEnd = at + node.key + bytes.readUInt16LE(at + node.keySize);
  const valueSize = bytes.readUInt16LE(at + node.low) + bytes.readUInt16LE(at + node.high) * 0x1_0000;
  const isBig = flags === nodeFlags.big;
  const end = keyEnd + (isBig ? overflow.bytes : valueSize);
  if (end > bytes.length || (flags & ~(nodeFlags.big | nodeFlags.tree)) !== 0) return undefined;
  return {
    key: bytes.subarray(at + node.key, keyEnd),
    value: bytes.subarray(keyEnd, end),
    valueSize,
    isBig,
    isTree: flags === nodeFlags.tree,
    size: even(end - at),
  };
}
