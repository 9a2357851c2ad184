import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeMeta, type Meta } from './format.ts';

/** Reads the pages of a data file, without mapping it. */
export class PageFile {
  readonly #file: number;
  readonly bytes: number;
  /** The two meta pages; undefined if they cannot be read as such. */
  readonly metas: readonly (Meta | undefined)[];
  readonly pageSize: number;
  /** The number of whole pages. */
  readonly pages: number;
  /** Which pages were read as part of a tree. */
  readonly #used: Uint8Array;
  /** The last page that was claimed. */
  lastClaimed = 1;

  private constructor(file: number) {
    this.#file = file;
    this.bytes = fstatSync(file).size;
    const first = this.#metaAt(0);
    // the second one says how large pages are if the first does not
    const second = first === undefined ? this.#findSecond() : this.#metaAt(first.pageSize);
    this.metas = [first, second];
    this.pageSize = (first ?? second)?.pageSize ?? 4096;
    this.pages = Math.floor(this.bytes / this.pageSize);
    this.#used = new Uint8Array(this.pages);
  }

  /** Undefined if there is no such file, or if it is empty. */
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

  /** Fills the bytes from the start of a page on. False if the file is too short. */
  read(page: number, into: Buffer): boolean {
    if (!(page < this.pages)) return false;
    return readSync(this.#file, into, 0, into.length, page * this.pageSize) === into.length;
  }

  /** Claims pages for one tree. False if they do not exist or are claimed already: trees share no pages. */
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
