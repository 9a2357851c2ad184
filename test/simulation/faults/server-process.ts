import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadKubeconfig } from '../../../runtime/client/kubeconfig.ts';
import type { ClientOptions } from '../../../runtime/client/options.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const clock = fileURLToPath(new URL('shifted-clock.mjs', import.meta.url));

/** `kubeloom serve` from dist/ in its own process, which can be killed, stopped and restarted. */
export class ServerProcess {
  readonly #folder: string;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;
  #log = '';

  /** @param folder the folder of its certificates and its kubeconfig, which stay the same */
  constructor(folder: string, flags: readonly string[]) {
    this.#folder = folder;
    this.#flags = flags;
  }

  /** Resolves with the address and the administrator's credentials when the server is ready. */
  async start(): Promise<ClientOptions> {
    const kubeconfig = join(this.#folder, 'kubeconfig');
    const args = ['dist/runtime/cli/main.js', 'serve', '--bind-address=127.0.0.1', '--secure-port=0'];
    args.push(`--cert-dir=${join(this.#folder, 'certs')}`, `--write-kubeconfig=${kubeconfig}`, ...this.#flags);
    const child = spawn(process.execPath, ['--import', clock, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#child = child;
    child.stderr?.on('data', (text: Buffer) => {
      this.#log = (this.#log + text.toString()).slice(-20_000);
    });
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stdout?.on('data', (text: Buffer) => {
        output += text.toString();
        if (output.includes('Kubeloom serves')) resolve();
      });
      child.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}\n${this.#log}`)));
    });
    return loadKubeconfig(kubeconfig);
  }

  /** The end of the logs of all its runs. */
  get log(): string {
    return this.#log;
  }

  /** Undefined while the process runs. */
  get ended(): number | NodeJS.Signals | undefined {
    return this.#child?.exitCode ?? this.#child?.signalCode ?? undefined;
  }

  /** @param signal SIGTERM lets the server finish its requests. Default: SIGKILL */
  async kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.ended !== undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Stops the process until `resume`. Its connections stay open. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Shifts its wall clock. A new process has the real time again. */
  jump(ms: number): void {
    if (this.#child?.connected) this.#child.send(ms);
  }
}
