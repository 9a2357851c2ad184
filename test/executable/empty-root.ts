import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root } from '../support/generated-project.ts';
import { binaryPath } from '../support/kubectl-binary.ts';

const run = promisify(execFile);

/** Enough to find chroot. */
const env = { PATH: process.env.PATH };

/** A running program in an empty root. */
export interface Running {
  readonly child: ChildProcess;
  /** Resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A folder that is the whole file system of its programs, with the executable as packaging/container makes it. */
export class EmptyRoot {
  readonly folder: string;
  readonly #user: readonly string[];

  /** @param user as chroot's --userspec */
  constructor(executable: string, user?: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'kubeloom-root-'));
    this.#user = user === undefined ? [] : [`--userspec=${user}`];
    execFileSync(join(root, 'packaging/container/make-root.sh'), [executable, this.folder]);
    chmodSync(this.folder, 0o755);
  }

  /** Adds a file of this machine under its own name. */
  add(file: string, path: string): void {
    cpSync(file, join(this.folder, path));
  }

  /** Resolves to the output. */
  async output(command: string, ...args: string[]): Promise<string> {
    const { stdout } = await run('chroot', [...this.#user, this.folder, command, ...args], { env });
    return stdout;
  }

  /** Starts a server, and resolves when `kubeconfig`, a path in the root, is there. */
  async start(kubeconfig: string, command: string, ...args: string[]): Promise<Running> {
    rmSync(join(this.folder, kubeconfig), { force: true });
    const child = spawn('chroot', [...this.#user, this.folder, command, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk;
    });
    const exited = once(child, 'exit');
    const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
      child.kill(signal);
      await exited;
      return child.exitCode;
    };
    while (!existsSync(join(this.folder, kubeconfig))) {
      if (child.exitCode !== null) throw new Error(`${command} has not started: ${errors}`);
      await setTimeout(5);
    }
    return { child, stop };
  }

  /** Runs kubectl of this machine, outside the root. Resolves to the output. */
  async kubectl(kubeconfig: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(await binaryPath('kubectl'), [`--kubeconfig=${join(this.folder, kubeconfig)}`, ...args]);
    return stdout.trim();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
