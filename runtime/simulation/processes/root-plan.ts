import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FolderMount } from './pod-folder.ts';

/* How the file system of a container is put together in a mount namespace: from that of the machine, and from mounts. */

/** Steps of `rootScript`: each has a name and its arguments. Targets are paths in the new file system. */
export type RootStep =
  | readonly ['folder', target: string]
  | readonly ['tmpfs', mode: string, target: string]
  | readonly ['bind', source: string, target: string]
  | readonly ['bind-file', source: string, target: string]
  | readonly ['link', text: string, target: string]
  | readonly ['read-only', target: string];

/** Folders of which a container has its own. */
const ownFolders: ReadonlySet<string> = new Set(['/tmp', '/run', '/dev']);
/** What a container has in /dev. (runtime-spec) */
const devices: readonly string[] = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const deviceLinks: readonly RootStep[] = [
  ['link', '/proc/self/fd', '/dev/fd'],
  ['link', '/proc/self/fd/0', '/dev/stdin'],
  ['link', '/proc/self/fd/1', '/dev/stdout'],
  ['link', '/proc/self/fd/2', '/dev/stderr'],
  ['folder', '/dev/shm'],
];
/** The most entries of a folder that are shown one by one, so that a mount can be added. */
const maxEntries = 256;

/**
 * Returns the steps that make a file system: that of the machine, with an own /tmp, /run and /dev, and with mounts. A mount whose
 * place does not exist gets it in a copy of the folder above, whose other entries stay those of the machine.
 *
 * @param needed paths of the machine that must be there
 */
export async function rootPlan(mounts: readonly FolderMount[], needed: readonly string[]): Promise<RootStep[]> {
  const plan = new RootPlan(needed);
  await plan.copy('/');
  for (const folder of ownFolders) await plan.replace(folder);
  for (const mount of [...mounts].sort((a, b) => a.path.length - b.path.length)) await plan.mount(mount);
  return plan.steps;
}

class RootPlan {
  readonly steps: RootStep[] = [];
  readonly #needed: readonly string[];
  /** Folders of the new file system that can get entries, and those entries. */
  readonly #own = new Map<string, Set<string>>();

  constructor(needed: readonly string[]) {
    this.#needed = needed;
  }

  /** Makes a folder of its own, in which the entries of the machine's folder are shown. */
  async copy(folder: string): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    await this.#fill(folder, names.length > maxEntries ? names.filter((name) => this.#isNeeded(join(folder, name))) : names);
  }

  /** Makes a folder of its own, with only what is needed of the machine's. */
  async replace(folder: string): Promise<void> {
    if ((await realpath(folder).catch(() => '')) !== folder) return;
    const names = await readdir(folder);
    const isShown = (name: string): boolean => this.#isNeeded(join(folder, name)) || (folder === '/dev' && devices.includes(name));
    await this.#fill(folder, names.filter(isShown));
    if (folder === '/dev') this.steps.push(...deviceLinks);
  }

  async mount({ path, source, isReadOnly }: FolderMount): Promise<void> {
    const isFolder = (await lstat(await realpath(source))).isDirectory();
    const target = await this.#placeFor(path);
    this.steps.push([isFolder ? 'bind' : 'bind-file', source, target]);
    if (isReadOnly) this.steps.push(['read-only', target]);
    this.#own.get(dirname(target))?.add(target);
  }

  async #fill(folder: string, names: readonly string[]): Promise<void> {
    this.steps.push(['tmpfs', folder === '/tmp' ? '1777' : '755', folder]);
    const entries = new Set<string>();
    this.#own.set(folder, entries);
    for (const name of names) {
      const path = join(folder, name);
      const found = await lstat(path).catch(() => undefined);
      if (found === undefined) continue;
      entries.add(path);
      if (found.isSymbolicLink()) this.steps.push(['link', await readlink(path), path]);
      else this.steps.push([found.isDirectory() ? 'bind' : 'bind-file', path, path]);
    }
  }

  /** Returns the real place for a mount, for which there is room then. */
  async #placeFor(path: string): Promise<string> {
    let folder = '/';
    for (const part of path.split(sep).slice(1, -1)) {
      const next = join(folder, part);
      const entries = this.#own.get(folder);
      const isThere = entries === undefined ? (await realpath(next).catch(() => undefined)) !== undefined : entries.has(next);
      if (isThere) {
        folder = await realpath(next).catch(() => next);
        continue;
      }
      // nothing of this path is on the machine
      if (entries === undefined) await this.copy(folder);
      this.steps.push(['folder', next]);
      this.#own.get(folder)?.add(next);
      this.#own.set(next, new Set());
      folder = next;
    }
    const target = join(folder, path.slice(path.lastIndexOf(sep) + 1));
    const entries = this.#own.get(folder);
    const isThere = entries === undefined ? await lstat(target).catch(() => undefined) : entries.has(target);
    if (!isThere && entries === undefined) await this.copy(folder);
    return target;
  }

  #isNeeded(path: string): boolean {
    return this.#needed.some((one) => one === path || !relative(path, one).startsWith('..'));
  }
}

/**
 * Follows the steps in its arguments below the folder that the first one names, and then runs a program there. The second argument is
 * the program's folder. No argument is ever code.
 */
export const rootScript = `
set -e
root=$1 folder=$2
shift 2
mount -t tmpfs -o mode=755 kubeloom "$root"
while [ "$1" != run ]; do
  case $1 in
    folder) mkdir -p "$root$2"; shift 2 ;;
    tmpfs) mkdir -p "$root$3"; [ "$3" = / ] || mount -t tmpfs -o "mode=$2" kubeloom "$root$3"; shift 3 ;;
    bind) mkdir -p "$root$3"; mount --rbind "$2" "$root$3"; shift 3 ;;
    bind-file) [ -e "$root$3" ] || : > "$root$3"; mount --bind "$2" "$root$3"; shift 3 ;;
    link) ln -s "$2" "$root$3"; shift 3 ;;
    read-only) mount -o remount,bind,ro "$root$2" 2> /dev/null || :; shift 2 ;;
  esac
done
shift
exec chroot "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' kubeloom-pod "$folder" "$@"
`;
