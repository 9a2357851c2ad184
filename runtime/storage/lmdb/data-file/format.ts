/*
 * The format of LMDB's data file. (liblmdb/mdb.c: MDB_page_header, MDB_meta, MDB_db, MDB_node, MDB_ovpage; little-endian, as all
 * machines with LMDB binaries)
 */

export const pageHeader = 24;
const magic = 0xbeefc0de;
const dataVersion = 2;
const metaBytes = 136;
/** Offsets in the meta struct, which follows its page's header. The two trees hold free pages and everything else. */
const meta = {
  magic: 0,
  version: 4,
  address: 8,
  mapSize: 16,
  pageSize: 24,
  free: 24,
  main: 72,
  lastPage: 120,
  transaction: 128,
};
/** Offsets in a page. */
export const page = { number: 0, transaction: 8, flags: 18, lower: 20, upper: 22, overflowPages: 20 };
export const pageFlags = { branch: 1, leaf: 2, overflow: 4, meta: 8 };
/** Offsets in a node. The key is followed by the value, unless the page is a branch. */
export const node = { low: 0, high: 2, flags: 4, keySize: 6, key: 8 };
export const nodeFlags = { big: 1, tree: 2 };
/** Offsets in a reference to a value on overflow pages, and its size. */
export const overflow = { page: 0, transaction: 8, pages: 16, bytes: 24 };
/** Offsets in the description of a tree, and its size. */
const tree = { pad: 0, flags: 4, depth: 6, branches: 8, leaves: 16, overflows: 24, entries: 32, root: 40 };
export const treeBytes = 48;
const noPage = 0xffff_ffff_ffff_ffffn;

/** The description of one of the file's B+ trees. */
export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  /** Pages with values that are too large for a leaf. */
  readonly overflows: number;
  readonly entries: number;
  /** Absent in an empty tree. */
  readonly root: number | undefined;
}

/** A committed state of the file. The file has two, on its first two pages. Commits replace them in turn. */
export interface Meta {
  readonly pageSize: number;
  /** The bytes of the map, which only takes address space. */
  readonly mapSize: number;
  /** The last page that was ever used. The file is shorter if the last pages were freed before they were written. */
  readonly lastPage: number;
  readonly transaction: number;
  readonly free: Tree;
  readonly main: Tree;
}

/** Returns undefined if the bytes do not begin with a meta page. */
export function decodeMeta(bytes: Buffer): Meta | undefined {
  if (bytes.length < pageHeader + metaBytes || (bytes.readUInt16LE(page.flags) & pageFlags.meta) === 0) return undefined;
  const struct = bytes.subarray(pageHeader);
  if (struct.readUInt32LE(meta.magic) !== magic) return undefined;
  if ((struct.readUInt32LE(meta.version) & 0xffff) !== dataVersion) return undefined;
  const pageSize = struct.readUInt32LE(meta.pageSize);
  if (pageSize < 256 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  // a fixed address is never used, nor a key size, whose place in the description of free pages holds the page size
  if (struct.readBigUInt64LE(meta.address) !== 0n || struct.readUInt32LE(meta.main + tree.pad) !== 0) return undefined;
  return {
    pageSize,
    mapSize: Number(struct.readBigUInt64LE(meta.mapSize)),
    lastPage: Number(struct.readBigUInt64LE(meta.lastPage)),
    transaction: Number(struct.readBigUInt64LE(meta.transaction)),
    free: decodeTree(struct, meta.free),
    main: decodeTree(struct, meta.main),
  };
}

/** Decodes the description of a tree at an offset. */
export function decodeTree(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + tree.root);
  const count = (offset: number): number => Number(bytes.readBigUInt64LE(at + offset));
  return {
    flags: bytes.readUInt16LE(at + tree.flags),
    depth: bytes.readUInt16LE(at + tree.depth),
    branches: count(tree.branches),
    leaves: count(tree.leaves),
    overflows: count(tree.overflows),
    entries: count(tree.entries),
    root: root === noPage ? undefined : Number(root),
  };
}

/** Returns the child of a branch. The flags of its node are the upper bits of the page number. */
export function childPage(bytes: Buffer, at: number): number {
  return bytes.readUInt16LE(at + node.flags) * 2 ** 32 + bytes.readUInt32LE(at + node.low);
}
