import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/*
 * LMDB maps its data file into memory and trusts it: other bytes, or a file cut short, end the process at some later
 * moment. So its head is looked at before it is opened, and its trees where it is shorter than it might be.
 * (liblmdb/mdb.c: MDB_meta, MDB_page, MDB_node, MDB_db; little-endian, as all machines LMDB's binaries are made for)
 */

const pageHeader = 24;
const magic = 0xbeefc0de;
const dataVersion = 2;
const metaBytes = 136;
/** In the meta struct; the two trees are those of free pages and of everything else. */
const meta = { magic: 0, version: 4, pageSize: 24, treeRoots: [64, 112], lastPage: 120, transaction: 128 };
const page = { flags: 18, lower: 20 };
const node = { low: 0, high: 2, flags: 4, keySize: 6, key: 8 };
/** In the struct that stands for a value on pages of its own. */
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

/** Why LMDB cannot open the file without harm; undefined where it can, or where there is nothing in it. */
export function dataFileProblem(path: string): string | undefined {
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
    // Pages at the end that were freed before they were ever written are not there, and need not be.
    const isWhole =
      second !== undefined && (size >= (newest.lastPage + 1) * newest.pageSize || hasAllPages(file, newest, size));
    return isWhole ? undefined : `it has been cut short, at ${size} bytes`;
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

/** Whether every page that the trees lead to is in the file. */
function hasAllPages(file: number, { pageSize, roots }: Meta, size: number): boolean {
  const pages = Math.floor(size / pageSize);
  const bytes = Buffer.alloc(pageSize);
  const seen = new Set<bigint>();
  const queue = roots.filter((root) => root !== noPage);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    // A page met twice is a loop: nothing LMDB has written.
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

/** The pages that a page of a tree leads to, and the last of those that hold its large values. */
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
      // The flags of a branch's node are the upper bits of the page number.
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
