/** The most bytes in the files of a container or a volume, and the most files and folders. */
const maxBytes = 16 * 1024 * 1024;
const maxNodes = 4096;

/** A file error, in the words of the C library. */
export class FileError extends Error {}

/** The room for the files of a container, or of a volume. */
export class FileSpace {
  #bytes: number;
  #nodes = maxNodes;

  constructor(bytes = maxBytes) {
    this.#bytes = bytes;
  }

  /** @throws FileError */
  take(bytes: number, nodes = 0): void {
    if (bytes > this.#bytes || nodes > this.#nodes) throw new FileError('No space left on device');
    this.#bytes -= bytes;
    this.#nodes -= nodes;
  }
}

/** The properties of every file. Times are in milliseconds since the epoch. */
interface Attributes {
  mode: number;
  uid: number;
  gid: number;
  modified: number;
}

export interface FolderNode extends Attributes {
  readonly kind: 'folder';
  readonly entries: Map<string, FileNode>;
  readonly space: FileSpace;
  /** The kind of the volume that begins here: `tmpfs`. */
  mountedAs?: string;
  isReadOnly?: boolean | undefined;
}

export interface LinkNode extends Attributes {
  readonly kind: 'link';
  readonly target: string;
}

export interface ContentNode extends Attributes {
  readonly kind: 'file';
  readonly space: FileSpace;
  /** The content is the beginning of this. */
  buffer: Buffer;
  size: number;
}

export type FileNode = FolderNode | LinkNode | ContentNode;

export const newFolder = (space: FileSpace, modified: number, mode = 0o755): FolderNode => ({
  kind: 'folder',
  entries: new Map(),
  space,
  mode,
  uid: 0,
  gid: 0,
  modified,
});

export const newLink = (target: string, modified: number): LinkNode => ({
  kind: 'link',
  target,
  mode: 0o777,
  uid: 0,
  gid: 0,
  modified,
});

/** @throws FileError */
export function newFile(space: FileSpace, content: Buffer, modified: number, mode = 0o644): ContentNode {
  space.take(content.length);
  return { kind: 'file', space, buffer: content, size: content.length, mode, uid: 0, gid: 0, modified };
}

export const contentOf = ({ buffer, size }: ContentNode): Buffer => buffer.subarray(0, size);

/** @throws FileError */
export function append(node: ContentNode, data: Buffer): void {
  node.space.take(data.length);
  const size = node.size + data.length;
  if (size > node.buffer.length) {
    const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(64, 2 * node.size, size)));
    node.buffer.copy(larger, 0, 0, node.size);
    node.buffer = larger;
  }
  data.copy(node.buffer, node.size);
  node.size = size;
}

/** Gives the room of a removed file back, and that of everything in a removed folder. */
export function release(node: FileNode, space: FileSpace): void {
  if (node.kind === 'folder' && node.mountedAs !== undefined) return;
  if (node.kind === 'file') node.space.take(-node.size);
  if (node.kind === 'folder') for (const child of node.entries.values()) release(child, node.space);
  space.take(0, -1);
}
