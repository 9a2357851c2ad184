import type { Container, Pod, VolumeMount } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { ArgumentSpace } from '../environment/argument-space.ts';
import { expand } from '../environment/expansion.ts';
import { hostnameFile, hostsFile, resolverFile } from '../environment/network-files.ts';
import { MountedFolder } from '../volumes/volume-folder.ts';
import { ContainerFiles, type FileUser, resolvePath } from './container-files.ts';
import { type FileNode, FileSpace, type FolderNode, newFolder } from './file-node.ts';

export interface FilesOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly objects: ClusterObjects;
  readonly variables: ReadonlyMap<string, string>;
  /** Returns the folder of a volume of the pod; undefined if there is no such volume. */
  volume(name: string): FolderNode | undefined;
  now(): number;
}

export const defaultMessagePath = '/dev/termination-log';

/**
 * Returns the initial files of a container: its network files, its termination log, and its volumes.
 *
 * @throws FileError
 */
export function initialFiles(given: FilesOf): ContainerFiles {
  const { pod, container, objects } = given;
  const files = new ContainerFiles(given.now);
  files.makeFolder(resolvePath('/', container.workingDir ?? '/'));
  files.write('/etc/hostname', Buffer.from(hostnameFile(pod)));
  files.write('/etc/hosts', Buffer.from(hostsFile(pod)));
  files.write('/etc/resolv.conf', Buffer.from(resolverFile(pod, objects)));
  // outer folders before those in them
  const mounts = [...(container.volumeMounts ?? [])].sort((a, b) => a.mountPath.length - b.mountPath.length);
  for (const mount of mounts) addMount(mount, given, files);
  const message = resolvePath('/', container.terminationMessagePath ?? defaultMessagePath);
  files.makeFolder(resolvePath(message, '..'));
  if (files.stat(message) === undefined) {
    files.write(message, Buffer.alloc(0));
    files.change(message, { mode: 0o666 });
  }
  files.user = userOf(pod, container);
  return files;
}

function userOf({ spec }: Pod, { securityContext: own }: Container): FileUser {
  const { runAsUser, runAsGroup, supplementalGroups = [], fsGroup } = spec?.securityContext ?? {};
  const groups = fsGroup === undefined ? supplementalGroups : [...supplementalGroups, fsGroup];
  return {
    uid: Number(own?.runAsUser ?? runAsUser ?? 0),
    gid: Number(own?.runAsGroup ?? runAsGroup ?? 0),
    groups: groups.map(Number),
  };
}

function addMount({ name, mountPath, readOnly, ...mount }: VolumeMount, given: FilesOf, files: ContainerFiles): void {
  const { variables } = given;
  const subPath = mount.subPathExpr ? expand(mount.subPathExpr, (other) => variables.get(other), new ArgumentSpace()) : mount.subPath;
  const root = resolvePath('/', mountPath);
  // a volume of another kind of pod is empty
  const volume = given.volume(name) ?? newFolder(new FileSpace(), given.now());
  const how = { mountedAs: volume.mountedAs ?? 'ext4', isReadOnly: volume.isReadOnly === true || readOnly === true };
  const node = subPath ? nodeAt(volume, resolvePath('/', subPath), given.now()) : volume;
  files.mount(root, node.kind === 'folder' ? new MountedFolder(node, how) : node);
}

/** Returns what is at a path of a volume. Missing folders are made, as a kubelet does. */
function nodeAt(volume: FolderNode, path: string, now: number): FileNode {
  let node: FileNode = volume;
  for (const part of path.split('/')) {
    if (part === '' || node.kind !== 'folder') continue;
    const next: FileNode | undefined = node.entries.get(part);
    if (next !== undefined) node = next;
    else {
      const made = newFolder(node.space, now, volume.mode);
      made.gid = volume.gid;
      if (!volume.isReadOnly) {
        node.space.take(0, 1);
        node.entries.set(part, made);
      }
      node = made;
    }
  }
  return node;
}
