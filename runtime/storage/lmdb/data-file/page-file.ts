import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeMeta, type Meta } from './format.ts';

/** Reads the pages of a data file without mapping it. */
export class PageFile {
  readonly #file: number;
  readonly bytes: number;
  /** The two meta pages; undefined for an invalid one. */
  readonly metas: readonly (Meta | undefined)[];
  readonly pageSize: number;
  /** The number of whole pages. */
  readonly pages: number;
  /** The pages that were read as part of a tree. */
  readonly #used: Uint8Array;
  /** The last claimed page. */
  lastClaimed = 1;

  private constructor(file: number) {
    this.#file = file;
    this.bytes = fstatSync(file).size;
    const first = this.#metaAt(0);
    // the second meta page has the page size if the first is invalid
    const second = first === undefined ? this.#findSecond() : this.#metaAt(first.pageSize);
    this.metas = [first, second];
    this.pageSize = (first ?? second)?.pageSize ?? 4096;
    this.pages = Math.floor(this.bytes / this.pageSize);
    this.#used = new Uint8Array(this.pages);
  }

  /** Opens the file. Returns undefined for an absent or empty file. */
  static open(path: string): PageFile | undefined {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    const opened = new PageFile(file);
    if (opened.bytes > 0) return opened;
    opened.close();
    return undefined;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Fills a buffer from the start of a page. Returns false if the file is too short. */
  read(page: number, into: Buffer): boolean {
    if (!(page < this.pages)) return false;
    return readSync(this.#file, into, 0, into.length, page * this.pageSize) === into.length;
  }

  /**
   * Claims pages for one tree. Returns false if they do not exist, or a tree has claimed them: trees share no pages.
   */
  claim(page: number, count = 1): boolean {
    if (!(page >= 2 && count >= 1 && page + count <= this.pages)) return false;
    for (let at = page; at < page + count; at += 1) {
      if (this.#used[at] !== 0) return false;
      this.#used[at] = 1;
    }
    this.lastClaimed = Math.max(this.lastClaimed, page + count - 1);
    return true;
  }

  isClaimed(page: number): boolean {
    return page < 2 || this.#used[page] === 1;
  }

  #metaAt(offset: number): Meta | undefined {
    const bytes = Buffer.alloc(256);
    return decodeMeta(bytes.subarray(0, readSync(this.#file, bytes, 0, bytes.length, offset)));
  }

  #findSecond(): Meta | undefined {
    for (let size = 256; size <= 65_536; size *= 2) {
      const found = this.#metaAt(size);
      if (found?.pageSize === size) return found;
    }
    return undefined;
  }
}
