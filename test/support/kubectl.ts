import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { binaryPath, type KubectlVersion, missingKubectl } from './kubectl-binary.ts';
import { describeUnless, testUnless } from './skipping.ts';

/** `describe` and `test` for tests with a real kubectl or helm. */
export const describeKubectl = describeUnless(missingKubectl);
export const testKubectl = testUnless(missingKubectl);

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real kubectl or helm with a kubeconfig for one server. */
export class Kubectl {
  readonly #binary: string;
  readonly #home: string;

  private constructor(binary: string, home: string) {
    this.#binary = binary;
    this.#home = home;
  }

  static async for(kubeconfig: string, version: KubectlVersion = '1.35', binary: 'kubectl' | 'helm' = 'kubectl'): Promise<Kubectl> {
    const home = await mkdtemp(join(tmpdir(), 'kubeloom-kubectl-'));
    await writeFile(join(home, 'config'), kubeconfig, { mode: 0o600 });
    return new Kubectl(await binaryPath(binary, version), home);
  }

  /** Runs a command to its end. A non-zero exit code is a result, not an error. */
  run(args: readonly string[], options: { stdin?: string; env?: Record<string, string>; timeoutMs?: number } = {}): Promise<Result> {
    return new Promise((resolve) => {
      const child = execFile(
        this.#binary,
        [...args],
        { env: this.#env(options.env), timeout: options.timeoutMs ?? 240_000, maxBuffer: 256 * 1024 * 1024 },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, stdout, stderr });
        },
      );
      child.stdin?.end(options.stdin ?? '');
    });
  }

  /** Runs a command and returns stdout. Throws with both outputs if it fails. */
  async ok(args: readonly string[], options: { stdin?: string; env?: Record<string, string> } = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw new Error(`${basename(this.#binary)} ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Starts a process and returns: for `get -w`, `proxy`, `port-forward`. The caller kills it. */
  start(args: readonly string[], env?: Record<string, string>): ChildProcess {
    return spawn(this.#binary, [...args], { env: this.#env(env), stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs a command in a terminal and returns its output. @param script util-linux' program of this name */
  async inTerminal(
    script: string,
    args: readonly string[],
    { env, input }: { env?: Record<string, string>; input: string },
  ): Promise<string> {
    const child = spawn(script, ['-qec', [this.#binary, ...args].join(' '), '/dev/null'], { env: this.#env(env) });
    child.stdin.write(input);
    let shown = '';
    child.stdout.on('data', (text: Buffer) => {
      shown += text.toString();
    });
    await once(child, 'close');
    return shown;
  }

  async close(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true });
  }

  #env(extra: Record<string, string> = {}): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.#home,
      KUBECONFIG: join(this.#home, 'config'),
      KUBECACHEDIR: join(this.#home, 'cache'),
      ...extra,
    };
  }
}
