/** The most bytes in a container's files, and the most files. */
const maxBytes = 16 * 1024 * 1024;
const maxFiles = 4096;
/** The longest path, in characters. (PATH_MAX of Linux, which includes the final zero) */
const maxPath = 4095;

interface StoredFile {
  readonly content: Buffer;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** A file error, in the words of the C library. */
export class FileError extends Error {}

/** The in-memory files of one container. Paths are absolute and clean. */
export class ContainerFiles {
  readonly #files = new Map<string, StoredFile>();
  readonly #folders = new Set<string>(['/', '/bin', '/etc', '/home', '/root', '/tmp', '/usr', '/var']);
  readonly #now: () => number;
  #bytes = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  isFolder = (path: string): boolean => this.#folders.has(path);
  isFile = (path: string): boolean => this.#files.has(path);
  modified = (path: string): number => this.#files.get(path)?.modified ?? this.#now();

  /** @throws FileError */
  read(path: string): Buffer {
    const file = this.#files.get(path);
    if (file !== undefined) return file.content;
    throw new FileError(this.isFolder(path) ? 'Is a directory' : 'No such file or directory');
  }

  /** @throws FileError */
  write(path: string, content: Buffer): void {
    checkLength(path);
    if (this.isFolder(path)) throw new FileError('Is a directory');
    if (!this.isFolder(parentOf(path))) throw new FileError('No such file or directory');
    const before = this.#files.get(path)?.content.length ?? 0;
    const isNew = !this.#files.has(path);
    if (this.#bytes - before + content.length > maxBytes || (isNew && this.#files.size >= maxFiles)) {
      throw new FileError('No space left on device');
    }
    this.#bytes += content.length - before;
    this.#files.set(path, { content, modified: this.#now() });
  }

  /**
   * Makes a folder and its parents.
   *
   * @throws FileError
   */
  makeFolder(path: string): void {
    checkLength(path);
    if (this.isFile(path)) throw new FileError('File exists');
    if (this.isFolder(path)) return;
    const missing: string[] = [];
    for (let folder = path; !this.isFolder(folder); folder = parentOf(folder)) {
      if (this.isFile(folder)) throw new FileError('File exists');
      if (this.#folders.size + missing.push(folder) > maxFiles) throw new FileError('No space left on device');
    }
    for (const folder of missing) this.#folders.add(folder);
  }

  /**
   * Removes a file, or a folder with its content.
   *
   * @throws FileError
   */
  remove(path: string): void {
    if (!this.isFile(path) && !this.isFolder(path)) throw new FileError('No such file or directory');
    for (const file of [...this.#files.keys()]) {
      if (file !== path && !file.startsWith(`${path}/`)) continue;
      this.#bytes -= this.#files.get(file)?.content.length ?? 0;
      this.#files.delete(file);
    }
    for (const folder of [...this.#folders]) {
      if (folder === path || folder.startsWith(`${path}/`)) this.#folders.delete(folder);
    }
  }

  /** Returns the names in a folder, sorted. */
  list(folder: string): string[] {
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const names = new Set<string>();
    for (const path of [...this.#files.keys(), ...this.#folders]) {
      if (path.startsWith(prefix) && path !== folder) names.add(path.slice(prefix.length).split('/', 1).join());
    }
    return [...names].sort();
  }
}

/** @throws FileError */
function checkLength(path: string): void {
  if (path.length > maxPath) throw new FileError('File name too long');
}

/** Returns the absolute path without `.` and `..`. */
export function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
