import { decodeTree, type Meta, pageHeader, page as pageOffsets, treeBytes } from './format.ts';
import { PageFile } from './page-file.ts';
import { TreeWalk } from './tree-walk.ts';

/** Visits an entry of a bucket, and returns its problem. The bytes are valid during the call. */
export type VisitEntry = (bucket: string, key: Buffer, value: Buffer) => string | undefined;

/** The most reported problems; others are only counted. */
const maxProblems = 100;

/**
 * Checks a data file before LMDB opens it. LMDB maps the file into memory and trusts it: a wrong page number crashes
 * the process later, and a wrong list of free pages overwrites data. Reads every page in use.
 *
 * @param visit called for the entries of each bucket in order, and for the readable entries of a damaged file
 * @returns the problems of the file, at most a hundred lines; empty if it is sound, empty or absent
 */
export function checkDataFile(path: string, visit: VisitEntry): readonly string[] {
  const file = PageFile.open(path);
  if (file === undefined) return [];
  try {
    const problems: string[] = [];
    const report = (problem: string): void => {
      if (problems.length < maxProblems) problems.push(problem);
    };
    const meta = newestMeta(file, report);
    if (meta !== undefined) checkTrees(file, meta, visit, report);
    return problems;
  } finally {
    file.close();
  }
}

function newestMeta(file: PageFile, report: (problem: string) => void): Meta | undefined {
  const [first, second] = file.metas;
  if (first === undefined && second === undefined) {
    report('it is not an LMDB file');
    return undefined;
  }
  if (first === undefined || second === undefined || !isAlike(first, second)) {
    report('one of its two meta pages cannot be read: what was written last may be lost');
    return first ?? second;
  }
  const [newest, other] = first.transaction >= second.transaction ? [first, second] : [second, first];
  // commits replace the meta pages in turn
  const isSound =
    (newest.transaction === 0 || newest.transaction % 2 === file.metas.indexOf(newest)) &&
    // the second meta page of a copied file was never written
    (other.transaction === newest.transaction - 1 || (other.transaction === 0 && other.main.root === undefined));
  if (!isSound || [newest, other].some((meta) => hasNewerRoot(file, meta))) {
    report('one of its two meta pages is wrong: what was written last may be lost');
  }
  return newest;
}

/** Reports whether two meta pages agree on values that no commit changes, and name existing pages. */
function isAlike(first: Meta, second: Meta): boolean {
  return (
    first.pageSize === second.pageSize &&
    first.mapSize === second.mapSize &&
    first.free.flags === second.free.flags &&
    first.main.flags === 0 &&
    second.main.flags === 0 &&
    [first, second].every(({ lastPage, pageSize, mapSize }) => lastPage < mapSize / pageSize)
  );
}

/** Reports whether a tree of a committed state was written by a later transaction. */
function hasNewerRoot(file: PageFile, { transaction, free, main }: Meta): boolean {
  const bytes = Buffer.alloc(pageHeader);
  return [free, main].some(
    ({ root }) => root !== undefined && file.read(root, bytes) && Number(bytes.readBigUInt64LE(pageOffsets.transaction)) > transaction,
  );
}

function checkTrees(file: PageFile, meta: Meta, visit: VisitEntry, report: (problem: string) => void): void {
  const { transaction, main, free, lastPage } = meta;
  const buckets: { name: string; tree: Buffer }[] = [];
  new TreeWalk(file, {
    name: 'the buckets',
    transaction,
    report,
    visit: ({ key, value, isTree }) => {
      if (!isTree || value.length !== treeBytes) return 'an entry is not a bucket';
      buckets.push({ name: key.toString('latin1').replace(/\0$/, ''), tree: Buffer.from(value) });
      return undefined;
    },
  }).run(main);
  for (const { name, tree } of buckets) {
    new TreeWalk(file, {
      name,
      transaction,
      report,
      visit: ({ key, value, isTree }) => (isTree ? 'an entry is a bucket' : visit(name, key, value)),
    }).run(decodeTree(tree, 0));
  }
  const freePages: number[] = [];
  new TreeWalk(file, {
    name: 'the free pages',
    transaction,
    report,
    compare: (a, b) => (a.length < 8 ? -1 : Number(a.readBigUInt64LE(0)) - Number(b.readBigUInt64LE(0))),
    visit: ({ key, value }) => (key.length === 8 ? readFreePages(value, freePages) : 'an entry has no number'),
  }).run(free);
  if (file.lastClaimed > lastPage) report(`page ${file.lastClaimed} is in use, but the last one is ${lastPage}`);
  checkFreePages(file, freePages, lastPage, report);
}

/** Adds the pages of a free list: its length, then pages, or runs as their negative length and first page. */
function readFreePages(list: Buffer, pages: number[]): string | undefined {
  const count = list.length < 8 ? 0 : Number(list.readBigInt64LE(0));
  if (count < 0 || (count + 1) * 8 > list.length) return 'a list is longer than its entry';
  for (let at = 1; at <= count; at += 1) {
    let run = 1;
    let first = Number(list.readBigInt64LE(at * 8));
    if (first < 0 && at < count) {
      run = -first;
      at += 1;
      first = Number(list.readBigInt64LE(at * 8));
    }
    if (first === 0) continue;
    if (first < 2 || run > 2 ** 32) return 'a list has no page numbers';
    for (let page = first; page < first + run; page += 1) pages.push(page);
  }
  return undefined;
}

function checkFreePages(file: PageFile, pages: readonly number[], lastPage: number, report: (problem: string) => void): void {
  const seen = new Set<number>();
  for (const page of pages) {
    const why = page > lastPage ? 'does not exist' : file.isClaimed(page) ? 'is in use' : seen.has(page) ? 'is there twice' : undefined;
    if (why !== undefined) {
      report(`the free pages: page ${page} ${why}`);
      return;
    }
    seen.add(page);
  }
}
