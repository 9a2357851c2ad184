import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { packageFolder } from '../machinery/version.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** One file of the page. */
export interface PageFile {
  readonly mediaType: string;
  readonly content: Buffer;
}

/** The files of the page, which the build writes. Nothing is read before the first request for the page. */
export class PageFiles {
  readonly #folder = join(packageFolder(), 'dist', 'page');
  #names: ReadonlySet<string> | undefined;

  /** Returns a file by its name, for example `index.html`. Undefined for all names but those in the folder. */
  async read(name: string): Promise<PageFile | undefined> {
    this.#names ??= new Set(existsSync(this.#folder) ? readdirSync(this.#folder) : []);
    const mediaType = mediaTypes[extname(name)];
    if (mediaType === undefined || !this.#names.has(name)) return undefined;
    return { mediaType, content: await readFile(join(this.#folder, name)) };
  }
}
