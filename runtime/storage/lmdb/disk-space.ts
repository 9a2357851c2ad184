import { type FileHandle, open as openFile, statfs } from 'node:fs/promises';
import { type BucketName, type Buckets, bucketNames } from './buckets.ts';
import { CommitError } from './commit.ts';

/** Pages that only deletions and sweeps may use: without them, a full disk could never be emptied. */
const reservePages = 512;

/** By how many pages the file grows at least and at most. */
const growth = { min: 256, max: 8192 };

const zeros = Buffer.alloc(512 * 1024);

/** What one transaction writes. */
export interface Demand {
  readonly changes: number;
  /** The size of their values. */
  readonly bytes: number;
  /** Whether it frees more than it needs. */
  readonly frees: boolean;
}

interface Usage {
  /** The pages of the file up to the last one that was ever used. */
  readonly used: number;
  /** Those of them that are free. */
  readonly free: number;
  readonly pageSize: number;
}

/**
 * Fills the data file with zeros ahead of LMDB, so that LMDB never writes where the disk may have no space: an error of a write
 * would overwrite memory in lmdb 3.5 (a message of more than 100 bytes), and end the process sooner or later.
 */
export class DiskSpace {
  readonly #buckets: Buckets;
  readonly #path: string;
  readonly #dir: string;
  /** How many pages transactions may take before the usage must be read again. */
  #left = 0;
  /** Transactions in progress: LMDB may be writing to the file. */
  #running = 0;
  #onIdle: (() => void)[] = [];
  /** Set while the file is made larger: no transaction may begin. */
  #filling: Promise<void> | undefined;

  /** @param buckets are replaced when the file is reopened */
  constructor(buckets: Buckets, dir: string, path: string) {
    this.#buckets = buckets;
    this.#dir = dir;
    this.#path = path;
  }

  /** Runs a transaction when there is space for it. Throws CommitError if there is none. */
  async run(demand: Demand, transaction: () => Promise<void>): Promise<void> {
    // the upper levels of the trees and the list of free pages; for each change, a leaf of two indexes and of the log, and now
    // and then a split one; and pages for large values
    const pages = 24 + 4 * demand.changes + 2 * Math.ceil(demand.bytes / 4096);
    while (this.#filling !== undefined) await this.#filling;
    if (this.#left < pages + reservePages) {
      this.#filling = this.#fill(pages).finally(() => {
        this.#filling = undefined;
      });
      await this.#filling;
      if (this.#left < pages + (demand.frees ? 0 : reservePages)) {
        throw new CommitError(this.#dir, 'no space left on device');
      }
    }
    this.#left -= pages;
    this.#running += 1;
    try {
      await transaction();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  /** Throws CommitError if there is no space for ordinary writes. */
  check(): Promise<void> {
    return this.run({ changes: 1, bytes: 0, frees: false }, () => Promise.resolve());
  }

  /** The size of the data file without what was filled. */
  usedBytes(): number {
    const { used, pageSize } = this.#usage();
    return used * pageSize;
  }

  /** Makes the file large enough for so many pages, if there is space. */
  async #fill(pages: number): Promise<void> {
    // LMDB must not write to the file meanwhile
    while (this.#running > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
    const { used, free, pageSize } = this.#usage();
    const file = await openFile(this.#path, 'r+').catch((error: Error) => {
      throw new CommitError(this.#dir, error.message);
    });
    try {
      const needed = used + pages + reservePages;
      const { size } = await file.stat();
      const ahead = Math.min(growth.max, Math.max(growth.min, used >> 3));
      if (size < needed * pageSize) await writeZeros(file, size, (needed + ahead) * pageSize);
      this.#left = Math.floor((await file.stat()).size / pageSize) - used;
    } finally {
      await file.close();
    }
    // those that the last transactions freed cannot be used yet
    if (this.#left < pages + reservePages) this.#left += free >> 1;
  }

  #usage(): Usage {
    const root = this.#buckets.root.getStats() as RootStats;
    const names: readonly BucketName[] = bucketNames;
    const trees = [root.root, root.free, ...names.map((name) => this.#buckets[name].getStats() as TreeStats)];
    const inUse = trees.reduce((sum, tree) => sum + tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages, 2);
    const used = root.lastPageNumber + 1;
    return { used, free: Math.max(0, used - inUse), pageSize: root.pageSize };
  }
}

/** Throws CommitError unless the disk has room for a new data file with so much in it. */
export async function requireSpace(dir: string, bytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize < bytes + 2 ** 20) throw new CommitError(dir, 'no space left on device');
}

interface TreeStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

interface RootStats extends TreeStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly root: TreeStats;
  readonly free: TreeStats;
}

/** Writes zeros as far as there is space: what counts is how large the file is then. */
async function writeZeros(file: FileHandle, from: number, to: number): Promise<void> {
  try {
    for (let at = from; at < to; ) {
      at += (await file.write(zeros, 0, Math.min(zeros.length, to - at), at)).bytesWritten;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
  }
}
