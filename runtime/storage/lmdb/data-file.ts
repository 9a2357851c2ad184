import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/*
 * LMDB maps its data file into memory and trusts it: a file of another format, or a truncated one, crashes the process at
 * some later time. So this module checks the header before LMDB opens the file, and the trees if the file is shorter than
 * the header says. (liblmdb/mdb.c: MDB_meta, MDB_page, MDB_node, MDB_db; little-endian, as all machines with LMDB binaries)
 */

const pageHeader = 24;
const magic = 0xbeefc0de;
const dataVersion = 2;
const metaBytes = 136;
/** Offsets in the meta struct. The two trees are those of free pages and of everything else. */
const meta = { magic: 0, version: 4, pageSize: 24, treeRoots: [64, 112], lastPage: 120, transaction: 128 };
const page = { flags: 18, lower: 20 };
const node = { low: 0, high: 2, flags: 4, keySize: 6, key: 8 };
/** Offsets in the struct that refers to a value on overflow pages. */
const bigValue = { page: 0, pages: 16 };
const treeRoot = 40;
const flags = { branch: 1, leaf: 2, bigData: 1, subData: 2 };
const noPage = 0xffff_ffff_ffff_ffffn;

interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
  readonly roots: readonly bigint[];
}

/** Why opening the file with LMDB is unsafe; undefined if it is safe, and for empty and absent files. */
export function dataFileError(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    if (size === 0) return undefined;
    const first = readMeta(file, 0);
    if (first === undefined) return 'it is not an LMDB file';
    const second = readMeta(file, first.pageSize);
    const newest = second !== undefined && second.transaction > first.transaction ? second : first;
    // the file lacks pages at its end that were freed before they were written
    const isWhole =
      second !== undefined && (size >= (newest.lastPage + 1) * newest.pageSize || hasAllPages(file, newest, size));
    return isWhole ? undefined : `it is truncated to ${size} bytes`;
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, at: number): Meta | undefined {
  const bytes = Buffer.alloc(pageHeader + metaBytes);
  if (readSync(file, bytes, 0, bytes.length, at) < bytes.length) return undefined;
  const struct = bytes.subarray(pageHeader);
  if (struct.readUInt32LE(meta.magic) !== magic) return undefined;
  if ((struct.readUInt32LE(meta.version) & 0xffff) !== dataVersion) return undefined;
  const pageSize = struct.readUInt32LE(meta.pageSize);
  if (pageSize < 256 || pageSize > 65_536) return undefined;
  return {
    pageSize,
    lastPage: Number(struct.readBigUInt64LE(meta.lastPage)),
    transaction: Number(struct.readBigUInt64LE(meta.transaction)),
    roots: meta.treeRoots.map((offset) => struct.readBigUInt64LE(offset)),
  };
}

/** Whether the file has every page that is reachable from the trees. */
function hasAllPages(file: number, { pageSize, roots }: Meta, size: number): boolean {
  const pages = Math.floor(size / pageSize);
  const bytes = Buffer.alloc(pageSize);
  const seen = new Set<bigint>();
  const queue = roots.filter((root) => root !== noPage);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    // LMDB never writes trees with loops
    if (next >= pages || seen.has(next)) return false;
    seen.add(next);
    if (readSync(file, bytes, 0, pageSize, Number(next) * pageSize) < pageSize) return false;
    const found = pagesBelow(bytes);
    if (found === undefined) return false;
    queue.push(...found.children);
    if (found.lastBig >= pages) return false;
  }
  return true;
}

/** The child pages of a page, and the last of its overflow pages. */
function pagesBelow(bytes: Buffer): { children: bigint[]; lastBig: number } | undefined {
  const kind = bytes.readUInt16LE(page.flags);
  if ((kind & (flags.branch | flags.leaf)) === 0) return undefined;
  const children: bigint[] = [];
  let lastBig = 0;
  const count = bytes.readUInt16LE(page.lower) >> 1;
  for (let index = 0; index < count; index += 1) {
    const at = pageHeader + bytes.readUInt16LE(pageHeader + index * 2);
    if (at + node.key > bytes.length) return undefined;
    const nodeFlags = bytes.readUInt16LE(at + node.flags);
    if (kind & flags.branch) {
      // in a branch, the flags of a node are the upper bits of the page number
      children.push((BigInt(nodeFlags) << 32n) | BigInt(bytes.readUInt32LE(at + node.low)));
      continue;
    }
    const value = at + node.key + bytes.readUInt16LE(at + node.keySize);
    if (nodeFlags & flags.bigData) {
      if (value + bigValue.pages + 8 > bytes.length) return undefined;
      const first = Number(bytes.readBigUInt64LE(value + bigValue.page));
      lastBig = Math.max(lastBig, first + Number(bytes.readBigUInt64LE(value + bigValue.pages)) - 1);
    } else if (nodeFlags & flags.subData) {
      if (value + treeRoot + 8 > bytes.length) return undefined;
      const root = bytes.readBigUInt64LE(value + treeRoot);
      if (root !== noPage) children.push(root);
    }
  }
  return { children, lastBig };
}
