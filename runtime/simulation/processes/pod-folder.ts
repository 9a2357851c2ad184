import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Container, Pod, VolumeMount } from '../../../generated/v1.35/core/v1/types.ts';
import { ArgumentSpace } from '../environment/argument-space.ts';
import { expand } from '../environment/expansion.ts';
import { defaultMessagePath } from '../streams/initial-files.ts';
import { below, folderInside, OutsideError } from './inside.ts';
import { type IssueToken, ObjectVolume, type ObjectVolumeOf, refreshAll, showsObjects } from './object-volume.ts';

/** Where a container mounts a volume, and what it mounts. */
export interface FolderMount {
  /** The path in the container. */
  readonly path: string;
  /** The path on this machine. */
  readonly source: string;
  readonly isReadOnly: boolean;
}

/** The files of one container. */
export interface ContainerFolder {
  /** The folder that stands for the container's `/`. */
  readonly root: string;
  /** The folder in which the container's process begins. */
  readonly workingFolder: string;
  readonly mounts: readonly FolderMount[];
  /** The file for the termination message, and its path in the container. */
  readonly messageFile: string;
  readonly messagePath: string;
  /** A folder that stays empty. */
  readonly emptyFolder: string;
}

/** Milliseconds between two looks at the objects that volumes show. */
const refreshInterval = 1000;
/** The most bytes of a termination message. (MaxContainerTerminationMessageLength) */
const maxMessage = 4096;

export interface PodFolderOf extends Omit<ObjectVolumeOf, 'pod'> {
  readonly issueToken: IssueToken;
  onError(error: unknown): void;
}

/** The real files of one pod: its volumes, and a folder for each container. Nothing outside of it is written. */
export class PodFolder {
  readonly #folder: string;
  readonly #given: PodFolderOf;
  readonly #objects = new Map<string, ObjectVolume>();
  #pod: Pod;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  /** @param root the folder of all pods */
  constructor(root: string, pod: Pod, given: PodFolderOf) {
    this.#folder = join(root, segment(pod.metadata.uid ?? ''));
    this.#pod = pod;
    this.#given = given;
  }

  /** Returns the folder that stands for the `/` of a container. */
  placeOf({ name }: Container): string {
    return join(this.#folder, 'containers', segment(name), 'root');
  }

  /** Makes the files of a container that starts. @throws MountError or OutsideError */
  async prepare(pod: Pod, container: Container, variables: ReadonlyMap<string, string>): Promise<ContainerFolder> {
    this.#pod = pod;
    const root = this.placeOf(container);
    await rm(root, { recursive: true, force: true });
    await mkdir(join(root, 'tmp'), { recursive: true, mode: 0o755 });
    const mounts: FolderMount[] = [];
    // outer folders before those in them
    const wanted = [...(container.volumeMounts ?? [])].sort((a, b) => a.mountPath.length - b.mountPath.length);
    for (const mount of wanted) mounts.push(await this.#mount(mount, root, variables));
    const messagePath = container.terminationMessagePath || defaultMessagePath;
    const messageFile = join(await folderInside(root, dirname(below(sep, messagePath)), this.#folder), basename(messagePath));
    // a link that another container has put there is not followed
    await writeFile(messageFile, '', { flag: constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) });
    const workingFolder = await folderInside(root, container.workingDir ?? '/', this.#folder);
    this.#follow();
    const emptyFolder = join(dirname(root), 'empty');
    await mkdir(emptyFolder, { recursive: true });
    return { root, workingFolder, mounts, messageFile, messagePath: below(sep, messagePath), emptyFolder };
  }

  /** Returns the termination message of a container; undefined if there is none. */
  async messageIn({ messageFile }: ContainerFolder): Promise<string | undefined> {
    try {
      const border = await realpath(this.#folder);
      const file = await realpath(messageFile);
      if (!file.startsWith(border + sep) || !(await lstat(file)).isFile()) return undefined;
      return (await beginningOf(file, maxMessage)) || undefined;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #mount(mount: VolumeMount, root: string, variables: ReadonlyMap<string, string>): Promise<FolderMount> {
    const { name, mountPath, readOnly = false, subPathExpr } = mount;
    const subPath = subPathExpr ? expand(subPathExpr, (other) => variables.get(other), new ArgumentSpace()) : mount.subPath;
    const { folder, isReadOnly } = await this.#volume(name);
    const source = subPath ? await pathIn(folder, subPath, isReadOnly) : folder;
    const path = below(sep, mountPath);
    if (path === sep) throw new OutsideError(mountPath);
    const parent = await folderInside(root, dirname(path), this.#folder);
    const link = join(parent, basename(path));
    await rm(link, { force: true });
    await symlink(source, link);
    return { path, source, isReadOnly: isReadOnly || readOnly };
  }

  /** Returns the folder of a volume. All containers of the pod share it. */
  async #volume(name: string): Promise<{ readonly folder: string; readonly isReadOnly: boolean }> {
    const folder = join(this.#folder, 'volumes', segment(name));
    const volume = this.#pod.spec?.volumes?.find((one) => one.name === name);
    if (volume === undefined || !showsObjects(volume)) {
      await mkdir(folder, { recursive: true, mode: 0o777 });
      return { folder, isReadOnly: false };
    }
    let shown = this.#objects.get(name);
    if (shown === undefined) {
      shown = new ObjectVolume(folder, volume, { ...this.#given, pod: () => this.#pod });
      this.#objects.set(name, shown);
    }
    await shown.refresh();
    return { folder, isReadOnly: true };
  }

  #follow(): void {
    if (this.#cancel !== undefined || this.#objects.size === 0 || this.#isClosed) return;
    this.#cancel = this.#given.clock.after(refreshInterval, () => {
      void refreshAll(this.#objects.values())
        .catch((error: unknown) => {
          if (!this.#isClosed) this.#given.onError(error);
        })
        .finally(() => {
          this.#cancel = undefined;
          this.#follow();
        });
    });
  }
}

async function beginningOf(file: string, bytes: number): Promise<string> {
  const opened = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await opened.close();
  }
}

/** Returns a path of a volume. Missing folders are made, as a kubelet does; volumes of objects have no others. */
async function pathIn(folder: string, subPath: string, isReadOnly: boolean): Promise<string> {
  if (subPath.startsWith('/') || subPath.split(/[/\\]/).includes('..')) throw new OutsideError(subPath);
  if (!isReadOnly) return folderInside(folder, subPath);
  const path = below(folder, subPath);
  const real = await realpath(path);
  if (!real.startsWith((await realpath(folder)) + sep)) throw new OutsideError(subPath);
  return path;
}

/** Returns a name as one segment of a path. Valid names of objects are as they are. */
const segment = (name: string): string =>
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name) ? name : createHash('sha256').update(name).digest('hex');
