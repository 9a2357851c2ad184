import { type FileHandle, open as openFile, statfs } from 'node:fs/promises';
import { type BucketName, type Buckets, bucketNames } from './buckets.ts';
import { CommitError } from './commit.ts';

/** Pages reserved for deletions and sweeps. Without them, a full disk could never be emptied. */
const reservePages = 512;

/** The least and most pages by which the file grows. */
const growth = { min: 256, max: 8192 };

const zeros = Buffer.alloc(512 * 1024);

/** The pages that one transaction needs. */
export interface Demand {
  readonly changes: number;
  /** The bytes of the values. */
  readonly bytes: number;
  /** Whether the transaction frees more than it needs. */
  readonly frees: boolean;
}

interface Usage {
  /** The pages of the file up to the last one ever used. */
  readonly used: number;
  /** The free pages among the used ones. */
  readonly free: number;
  readonly pageSize: number;
}

/**
 * Fills the data file with zeros ahead of LMDB, so that LMDB never writes to a full disk. In lmdb 3.5, a write error (a
 * message of more than 100 bytes) overwrites memory, which ends the process sooner or later.
 */
export class DiskSpace {
  readonly #buckets: Buckets;
  readonly #path: string;
  readonly #dir: string;
  /** Pages for transactions until the usage must be read again. */
  #left = 0;
  /** Running transactions, during which LMDB may write to the file. */
  #running = 0;
  #onIdle: (() => void)[] = [];
  /** Set while the file grows. No transaction may begin then. */
  #filling: Promise<void> | undefined;

  /** @param buckets objects whose buckets are replaced when the file is reopened */
  constructor(buckets: Buckets, dir: string, path: string) {
    this.#buckets = buckets;
    this.#dir = dir;
    this.#path = path;
  }

  /**
   * Runs a transaction when there is space for it.
   *
   * @throws CommitError if there is no space
   */
  async run(demand: Demand, transaction: () => Promise<void>): Promise<void> {
    // 24 for the upper levels of the trees and the list of free pages; for each change, a leaf of two indexes and of
    // the log, and sometimes a split one; and pages for large values
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

  /** Returns the bytes of the data file without the filled part. */
  usedBytes(): number {
    const { used, pageSize } = this.#usage();
    return used * pageSize;
  }

  /** Enlarges the file by a number of pages, if there is space. */
  async #fill(pages: number): Promise<void> {
    // LMDB must not write to the file during this
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
    // pages freed by the last transactions cannot be used yet
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

/** Throws CommitError unless the disk has room for a new data file with this many bytes. */
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

/** Writes zeros as far as there is space. The resulting size of the file counts. */
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
