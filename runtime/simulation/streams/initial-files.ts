import type { Container, Pod, VolumeMount } from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { ArgumentSpace } from '../environment/argument-space.ts';
import { expand } from '../environment/expansion.ts';
import { hostnameFile, hostsFile, resolverFile } from '../environment/network-files.ts';
import { type FileContent, volumeFiles } from '../volumes/volume-files.ts';
import { MountError, VolumeSpace } from '../volumes/volume-space.ts';
import { ContainerFiles, resolvePath } from './container-files.ts';

export interface FilesOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly objects: ClusterObjects;
  readonly variables: ReadonlyMap<string, string>;
  now(): number;
}

/**
 * Returns the initial files of a container: its network files, and the content of its volumes.
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
  const space = new VolumeSpace();
  for (const mount of container.volumeMounts ?? []) addMount(mount, given, { files, space });
  return files;
}

function addMount(
  { name, mountPath, ...mount }: VolumeMount,
  given: FilesOf,
  { files, space }: { readonly files: ContainerFiles; readonly space: VolumeSpace },
): void {
  const { variables } = given;
  const subPath = mount.subPathExpr ? expand(mount.subPathExpr, (other) => variables.get(other), new ArgumentSpace()) : mount.subPath;
  const root = resolvePath('/', mountPath);
  const contents = contentsOf(name, given, space);
  const chosen = subPath ? resolvePath('/', subPath).slice(1) : '';
  const file = contents.get(chosen);
  if (file !== undefined) {
    writeFile(root, file, files);
    return;
  }
  files.makeFolder(root);
  for (const [path, content] of contents) {
    if (chosen === '') writeFile(resolvePath(root, path), content, files);
    else if (path.startsWith(`${chosen}/`)) writeFile(resolvePath(root, path.slice(chosen.length + 1)), content, files);
  }
}

/** A volume that can no longer be mounted has no files. */
function contentsOf(name: string, { pod, objects }: FilesOf, space: VolumeSpace): ReadonlyMap<string, FileContent> {
  const volume = pod.spec?.volumes?.find((one) => one.name === name);
  try {
    return volume === undefined ? new Map() : volumeFiles(volume, { pod, objects, space });
  } catch (error) {
    if (error instanceof MountError) return new Map();
    throw error;
  }
}

function writeFile(path: string, { text, encoding }: FileContent, files: ContainerFiles): void {
  files.makeFolder(resolvePath(path, '..'));
  files.write(path, Buffer.from(text, encoding));
}
