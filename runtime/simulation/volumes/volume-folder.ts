import type { Pod, Volume } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { type FileNode, FileSpace, type FolderNode, newFile, newFolder } from '../streams/file-node.ts';
import { type FileContent, volumeFiles } from './volume-files.ts';
import { MountError, VolumeSpace } from './volume-space.ts';

/* The volumes of a pod as its containers see them. */

export interface FolderOf {
  /** Returns the pod as it is now. */
  pod(): Pod;
  readonly objects: ClusterObjects;
  now(): number;
}

/** Milliseconds between two looks at the objects of a volume. */
const refreshInterval = 1000;
const defaultMode = 0o644;
/** What a kubelet adds for the group of a volume. (SetVolumeOwnership) */
const groupRead = 0o440;
const setgid = 0o2000;

/** Returns the folder of a volume. All containers of a pod share it. */
export function volumeFolder(volume: Volume, given: FolderOf): FolderNode {
  const { configMap, secret, downwardAPI, projected, emptyDir } = volume;
  const fsGroup = given.pod().spec?.securityContext?.fsGroup;
  const group = fsGroup === undefined ? undefined : Number(fsGroup);
  const mode = (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode;
  if (configMap || secret || downwardAPI || projected) {
    const isOnDisk = configMap !== undefined;
    return new ObjectFolder(volume, { ...given, group, mode: mode ?? defaultMode, mountedAs: isOnDisk ? 'ext4' : 'tmpfs' });
  }
  const folder = newFolder(new FileSpace(), given.now(), 0o777);
  folder.mountedAs = emptyDir?.medium === 'Memory' ? 'tmpfs' : 'ext4';
  if (group !== undefined) {
    folder.gid = group;
    folder.mode |= setgid;
  }
  return folder;
}

interface ObjectFolderOf extends FolderOf {
  readonly group: number | undefined;
  readonly mode: number;
  readonly mountedAs: string;
}

/** A folder that shows objects, and follows them. */
class ObjectFolder implements FolderNode {
  readonly kind = 'folder';
  readonly space = new FileSpace();
  readonly isReadOnly = true;
  readonly mountedAs: string;
  mode = 0o1777;
  uid = 0;
  gid: number;
  modified: number;
  readonly #volume: Volume;
  readonly #given: ObjectFolderOf;
  #entries = new Map<string, FileNode>();
  #files: ReadonlyMap<string, FileContent> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(volume: Volume, given: ObjectFolderOf) {
    this.#volume = volume;
    this.#given = given;
    this.mountedAs = given.mountedAs;
    this.gid = given.group ?? 0;
    if (given.group !== undefined) this.mode |= setgid;
    this.modified = given.now();
  }

  get entries(): Map<string, FileNode> {
    const now = this.#given.now();
    if (now - this.#lookedAt >= refreshInterval) {
      this.#lookedAt = now;
      this.#refresh(now);
    }
    return this.#entries;
  }

  #refresh(now: number): void {
    let files: ReadonlyMap<string, FileContent>;
    try {
      files = volumeFiles(this.#volume, { pod: this.#given.pod(), objects: this.#given.objects, space: new VolumeSpace() });
    } catch (error) {
      // the last content stays
      if (error instanceof MountError) return;
      throw error;
    }
    if (isSame(files, this.#files)) return;
    this.#files = files;
    this.modified = now;
    this.#entries = this.#tree(files, now);
  }

  #tree(files: ReadonlyMap<string, FileContent>, now: number): Map<string, FileNode> {
    const root = newFolder(this.space, now);
    // the files are bounded by the space of volumes
    const space = new FileSpace(Number.POSITIVE_INFINITY);
    const { group } = this.#given;
    for (const [path, { text, encoding, mode }] of files) {
      const parts = path.split('/');
      const name = parts.pop() ?? '';
      let folder = root;
      for (const part of parts) {
        const next = folder.entries.get(part);
        const child = next?.kind === 'folder' ? next : newFolder(space, now);
        if (next !== child) folder.entries.set(part, child);
        folder = child;
      }
      const file = newFile(space, Buffer.from(text, encoding), now, mode ?? this.#given.mode);
      if (group !== undefined) {
        file.gid = group;
        file.mode |= groupRead;
      }
      folder.entries.set(name, file);
    }
    return root.entries;
  }
}

function isSame(a: ReadonlyMap<string, FileContent>, b: ReadonlyMap<string, FileContent>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, { text }] of a) if (b.get(path)?.text !== text) return false;
  return true;
}

/** A folder as one mount shows it. */
export class MountedFolder implements FolderNode {
  readonly kind = 'folder';
  readonly mountedAs: string;
  readonly isReadOnly: boolean;
  readonly #folder: FolderNode;

  constructor(folder: FolderNode, given: { readonly mountedAs: string; readonly isReadOnly: boolean }) {
    this.#folder = folder;
    this.mountedAs = given.mountedAs;
    this.isReadOnly = given.isReadOnly;
  }

  get entries(): Map<string, FileNode> {
    return this.#folder.entries;
  }
  get space(): FileSpace {
    return this.#folder.space;
  }
  get mode(): number {
    return this.#folder.mode;
  }
  set mode(mode: number) {
    this.#folder.mode = mode;
  }
  get uid(): number {
    return this.#folder.uid;
  }
  set uid(uid: number) {
    this.#folder.uid = uid;
  }
  get gid(): number {
    return this.#folder.gid;
  }
  set gid(gid: number) {
    this.#folder.gid = gid;
  }
  get modified(): number {
    return this.#folder.modified;
  }
  set modified(modified: number) {
    this.#folder.modified = modified;
  }
}
