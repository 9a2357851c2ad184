import { inflateRawSync } from 'node:zlib';

/** The index of an executable: where each file's compressed bytes lie in the blob, by path with slashes. */
export type Index = Readonly<Record<string, readonly [start: number, end: number]>>;

/** The files inside the executable. */
export class Contents {
  readonly #index: Index;
  readonly #blob: ArrayBuffer;
  readonly #folders = new Map<string, Set<string>>();

  constructor(index: Index, blob: ArrayBuffer) {
    this.#index = index;
    this.#blob = blob;
    for (const path of Object.keys(index)) this.#addFolders(path);
  }

  has(path: string): boolean {
    return Object.hasOwn(this.#index, path);
  }

  /** Returns the names in a folder, sorted; undefined if there is no such folder. */
  list(folder: string): string[] | undefined {
    const names = this.#folders.get(folder);
    return names && [...names].sort();
  }

  /** Returns the bytes of a file that `has` reports. */
  read(path: string): Buffer {
    const [start, end] = this.#index[path] as readonly [number, number];
    return inflateRawSync(new Uint8Array(this.#blob, start, end - start));
  }

  #addFolders(path: string): void {
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(slash, 0));
    const names = this.#folders.get(folder);
    if (names !== undefined) {
      names.add(path.slice(slash + 1));
      return;
    }
    this.#folders.set(folder, new Set([path.slice(slash + 1)]));
    if (folder !== '') this.#addFolders(folder);
  }
}
