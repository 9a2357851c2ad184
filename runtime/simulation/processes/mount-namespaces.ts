import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Executable } from './executable.ts';
import type { FolderMount } from './pod-folder.ts';
import { rootPlan, rootScript } from './root-plan.ts';

/** What a program needs in its mount namespace. */
export interface NamespaceOf {
  /** An empty folder, on which the file system of the program is put together. */
  readonly root: string;
  /** The folder in which the program runs. */
  readonly cwd: string;
  readonly mounts: readonly FolderMount[];
  /** Other paths of the machine that the program sees. */
  readonly needed: readonly string[];
}

/** Runs programs in mount namespaces, where volumes are at the container's own paths. (unshare, of util-linux) */
export class MountNamespaces {
  readonly #unshare: readonly string[];
  readonly #nsenter: string | undefined;

  private constructor(unshare: readonly string[], nsenter: string | undefined) {
    this.#unshare = unshare;
    this.#nsenter = nsenter;
  }

  /** Returns the namespaces, or the reason why this machine has none. */
  static async open(): Promise<MountNamespaces | string> {
    if (process.platform !== 'linux') return 'only Linux has namespaces';
    const found = await find('unshare');
    if (found === undefined) return 'unshare, of util-linux, is not in the PATH';
    const isRoot = process.getuid?.() === 0;
    const own = [found, ...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--propagation', 'private', '--'];
    const problem = await outcome([...own, '/bin/sh', '-c', 'mount -t tmpfs kubeloom /tmp']);
    if (problem === undefined) return new MountNamespaces(own, await find('nsenter'));
    return isRoot ? `mounting is not allowed (${problem})` : `users may make no namespaces (${problem})`;
  }

  /** Returns what starts a program in a namespace of its own. */
  async around({ file, args }: Executable, { root, cwd, mounts, needed }: NamespaceOf): Promise<Executable> {
    const steps = await rootPlan(mounts, [...needed, cwd, file]);
    return this.#sh([root, cwd, ...steps.flat(), 'run', file, ...args]);
  }

  /** Returns what starts a command in the namespace of a process; undefined if this machine cannot. */
  enter(pid: number, { file, args }: Executable, cwd: string): Executable | undefined {
    if (this.#nsenter === undefined) return undefined;
    const user = this.#unshare.includes('--user') ? ['--user', '--preserve-credentials'] : [];
    const script = 'cd "$1" 2> /dev/null || cd /; shift; exec "$@"';
    return {
      file: this.#nsenter,
      args: [
        '--target',
        String(pid),
        ...user,
        '--mount',
        '--root',
        '--wd',
        '--',
        '/bin/sh',
        '-c',
        script,
        'kubeloom-pod',
        cwd,
        file,
        ...args,
      ],
    };
  }

  #sh(args: readonly string[]): Executable {
    const [file = '', ...first] = this.#unshare;
    return { file, args: [...first, '/bin/sh', '-c', rootScript, 'kubeloom-pod', ...args] };
  }
}

async function find(name: string): Promise<string | undefined> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin', '/sbin']) {
    const path = join(folder, name);
    if (
      folder !== '' &&
      (await access(path, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return path;
  }
  return undefined;
}

/** Returns the first line of a command's error; undefined if it succeeds. */
function outcome([file = '', ...args]: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 1000) said += chunk;
    });
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code) => resolve(code === 0 ? undefined : (said.split('\n')[0] ?? `exit code ${code}`)));
  });
}
