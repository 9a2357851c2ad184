import {
  append,
  type ContentNode,
  contentOf,
  FileError,
  type FileNode,
  FileSpace,
  type FolderNode,
  newFile,
  newFolder,
  newLink,
  release,
} from './file-node.ts';

export { FileError } from './file-node.ts';

/** The longest path, in characters. (PATH_MAX of Linux, which includes the final zero) */
const maxPath = 4095;
/** The most links on the way to a file. (Linux) */
const maxLinks = 40;

/** The user of a process. */
export interface FileUser {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

const rootUser: FileUser = { uid: 0, gid: 0, groups: [] };

/** A folder and the name of an entry in it, which may be missing. */
interface Place {
  readonly folder: FolderNode;
  readonly name: string;
  readonly node: FileNode | undefined;
}

/** The in-memory files of one container. Paths are absolute and clean. Links are followed. */
export class ContainerFiles {
  readonly #now: () => number;
  readonly #root: FolderNode;
  /** The user of the container's processes. */
  user: FileUser = rootUser;

  constructor(now: () => number) {
    this.#now = now;
    const space = new FileSpace();
    this.#root = newFolder(space, now());
    for (const name of ['bin', 'dev', 'etc', 'home', 'proc', 'root', 'run', 'tmp', 'usr', 'var']) {
      this.#root.entries.set(name, newFolder(space, now(), name === 'tmp' ? 0o1777 : 0o755));
    }
  }

  isFolder = (path: string): boolean => this.stat(path)?.kind === 'folder';
  isFile = (path: string): boolean => this.stat(path)?.kind === 'file';
  modified = (path: string): number => this.stat(path)?.modified ?? this.#now();

  /** Returns what is at a path; undefined for nothing. */
  stat(path: string): FileNode | undefined {
    return this.#find(path)?.node;
  }

  /** As `stat`, but returns a link at the end of the path itself. */
  lstat(path: string): FileNode | undefined {
    return this.#find(path, false)?.node;
  }

  /** @throws FileError */
  read(path: string): Buffer {
    const node = this.stat(path);
    if (node?.kind !== 'file') throw new FileError(node === undefined ? 'No such file or directory' : 'Is a directory');
    this.#allow(node, 4);
    return contentOf(node);
  }

  /** @throws FileError */
  write(path: string, content: Buffer): void {
    const node = this.open(path);
    node.space.take(content.length - node.size);
    node.buffer = content;
    node.size = content.length;
    node.modified = this.#now();
  }

  /** @throws FileError */
  append(path: string, data: Buffer): void {
    this.appendTo(this.open(path), data);
  }

  /** @throws FileError */
  appendTo(node: ContentNode, data: Buffer): void {
    append(node, data);
    node.modified = this.#now();
  }

  /** Empties a file. */
  truncate(node: ContentNode): void {
    node.space.take(-node.size);
    node.size = 0;
    node.modified = this.#now();
  }

  /**
   * Opens a file for writing, and makes it if it is missing.
   *
   * @throws FileError
   */
  open(path: string): ContentNode {
    const place = this.#placeOf(path);
    const { folder, name, node } = place;
    if (node?.kind === 'folder') throw new FileError('Is a directory');
    if (node?.kind === 'file') {
      if (this.#isReadOnly(path)) throw new FileError('Read-only file system');
      this.#allow(node, 2);
      return node;
    }
    this.#allowChange(path, folder);
    folder.space.take(0, 1);
    const made = newFile(folder.space, Buffer.alloc(0), this.#now());
    return this.#add(folder, name, made);
  }

  /**
   * Makes a folder and its parents.
   *
   * @throws FileError
   */
  makeFolder(path: string): void {
    checkLength(path);
    let folder = '';
    for (const part of path.split('/')) {
      if (part === '') continue;
      folder += `/${part}`;
      const node = this.stat(folder);
      if (node === undefined) this.makeOneFolder(folder);
      else if (node.kind !== 'folder') throw new FileError(folder === path ? 'File exists' : 'Not a directory');
    }
  }

  /** @throws FileError */
  makeOneFolder(path: string): void {
    const { folder, name, node } = this.#placeOf(path);
    if (node !== undefined) throw new FileError('File exists');
    this.#allowChange(path, folder);
    folder.space.take(0, 1);
    this.#add(folder, name, newFolder(folder.space, this.#now()));
  }

  /** @throws FileError */
  link(target: string, path: string): void {
    const { folder, name, node } = this.#placeOf(path, false);
    if (node !== undefined) throw new FileError('File exists');
    this.#allowChange(path, folder);
    folder.space.take(0, 1);
    this.#add(folder, name, newLink(target, this.#now()));
  }

  /**
   * Removes a file, or a folder with its content.
   *
   * @throws FileError
   */
  remove(path: string): void {
    const { folder, name, node } = this.#placeOf(path, false);
    if (node === undefined) throw new FileError('No such file or directory');
    if (node.kind === 'folder' && (name === '' || node.mountedAs !== undefined)) throw new FileError('Device or resource busy');
    this.#allowChange(path, folder);
    folder.entries.delete(name);
    folder.modified = this.#now();
    release(node, folder.space);
  }

  /** @throws FileError */
  rename(from: string, to: string): void {
    const source = this.#placeOf(from, false);
    const target = this.#placeOf(to, false);
    if (source.node === undefined) throw new FileError('No such file or directory');
    if (source.node === target.node) return;
    if (to.startsWith(`${from}/`)) throw new FileError('Invalid argument');
    if (target.node?.kind === 'folder') throw new FileError('Is a directory');
    this.#allowChange(from, source.folder);
    this.#allowChange(to, target.folder);
    if (source.folder.space !== target.folder.space) {
      if (source.node.kind !== 'file') throw new FileError('Invalid cross-device link');
      this.write(to, Buffer.from(contentOf(source.node)));
      this.remove(from);
      return;
    }
    if (target.node !== undefined) release(target.node, target.folder.space);
    source.folder.entries.delete(source.name);
    target.folder.entries.set(target.name, source.node);
  }

  /** @throws FileError */
  change(
    path: string,
    attributes: { readonly mode?: number; readonly uid?: number; readonly gid?: number; readonly modified?: number },
  ): void {
    const node = this.stat(path);
    if (node === undefined) throw new FileError('No such file or directory');
    if (this.#isReadOnly(path)) throw new FileError('Read-only file system');
    if (this.user.uid !== 0 && this.user.uid !== node.uid && attributes.modified === undefined) {
      throw new FileError('Operation not permitted');
    }
    Object.assign(node, attributes);
  }

  /** Returns the names in a folder, sorted. */
  list(path: string): string[] {
    const node = this.stat(path);
    return node?.kind === 'folder' ? [...node.entries.keys()].sort() : [];
  }

  /** Puts a folder or file of a volume at a path. */
  mount(path: string, node: FileNode): void {
    if (path === '/') return;
    const at = path.lastIndexOf('/');
    this.makeFolder(path.slice(0, at) || '/');
    this.#placeOf(path, false).folder.entries.set(path.slice(at + 1), node);
  }

  /** Returns the kind of the volume that a path is in: `tmpfs`. */
  mountOf(path: string): string | undefined {
    let node: FileNode | undefined = this.#root;
    let found: string | undefined;
    for (const part of path.split('/')) {
      if (part === '') continue;
      if (node?.kind !== 'folder') break;
      node = node.entries.get(part);
      if (node?.kind === 'folder' && node.mountedAs !== undefined) found = node.mountedAs;
    }
    return found;
  }

  #add<T extends FileNode>(folder: FolderNode, name: string, node: T): T {
    node.uid = this.user.uid;
    // files in a folder with this bit get its group (setgid)
    node.gid = folder.mode & 0o2000 ? folder.gid : this.user.gid;
    if (node.kind === 'folder' && folder.mode & 0o2000) node.mode |= 0o2000;
    folder.entries.set(name, node);
    folder.modified = this.#now();
    return node;
  }

  #allowChange(path: string, folder: FolderNode): void {
    if (this.#isReadOnly(path)) throw new FileError('Read-only file system');
    this.#allow(folder, 2);
  }

  #isReadOnly(path: string): boolean {
    let node: FileNode | undefined = this.#root;
    let isReadOnly = false;
    for (const part of path.split('/')) {
      if (part === '') continue;
      if (node?.kind !== 'folder') break;
      node = node.entries.get(part);
      if (node?.kind === 'folder' && node.mountedAs !== undefined) isReadOnly = node.isReadOnly === true;
    }
    return isReadOnly;
  }

  /** @param bits 4 to read, 2 to write */
  #allow({ mode, uid, gid }: FileNode, bits: number): void {
    const { user } = this;
    if (user.uid === 0) return;
    const shift = uid === user.uid ? 6 : gid === user.gid || user.groups.includes(gid) ? 3 : 0;
    if (((mode >> shift) & bits) !== bits) throw new FileError('Permission denied');
  }

  /** @throws FileError if the folder of the path is missing */
  #placeOf(path: string, follow = true): Place {
    checkLength(path);
    const place = this.#find(path, follow);
    if (place === undefined) throw new FileError('No such file or directory');
    return place;
  }

  /** Returns undefined if the folder of the path is missing. */
  #find(path: string, follow = true, links = 0): Place | undefined {
    if (path === '/') return { folder: this.#root, name: '', node: this.#root };
    const parts = path.slice(1).split('/');
    const name = parts.pop() ?? '';
    let folder: FolderNode = this.#root;
    let walked = '';
    for (const [index, part] of parts.entries()) {
      const next = folder.entries.get(part);
      if (next?.kind === 'link') {
        if (links >= maxLinks) return undefined;
        const rest = [...parts.slice(index + 1), name].join('/');
        return this.#find(resolvePath(walked || '/', `${next.target}/${rest}`), follow, links + 1);
      }
      if (next?.kind !== 'folder') return undefined;
      folder = next;
      walked += `/${part}`;
    }
    const node = folder.entries.get(name);
    if (node?.kind !== 'link' || !follow) return { folder, name, node };
    return links >= maxLinks ? undefined : this.#find(resolvePath(walked || '/', node.target), follow, links + 1);
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
