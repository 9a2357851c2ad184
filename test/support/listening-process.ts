import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A user of the system by numbers, for `spawn`. */
export interface ProcessUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** A process that listens on a URL. Its URL and data survive a restart. */
export class ListeningProcess {
  readonly url: string;
  readonly #binary: string;
  readonly #flags: readonly string[];
  readonly #user: ProcessUser;
  #process: ChildProcess | undefined;
  #log = '';

  /** @param user the default is the user of this process */
  constructor(binary: string, flags: readonly string[], url: string, user: ProcessUser = {}) {
    this.#binary = binary;
    this.#flags = flags;
    this.url = url;
    this.#user = user;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the process accepts connections. */
  async start(): Promise<void> {
    const child = spawn(this.#binary, this.#flags, { stdio: ['ignore', 'pipe', 'pipe'], ...this.#user });
    this.#process = child;
    // a test that crashes leaves none behind
    const onExit = (): boolean => child.kill('SIGKILL');
    process.on('exit', onExit);
    child.once('exit', () => process.off('exit', onExit));
    this.#log = '';
    const keep = (chunk: Buffer): void => {
      this.#log = `${this.#log}${chunk}`.slice(-10_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const { hostname, port } = new URL(this.url);
    const isReady = await waitForPort(hostname, Number(port), () => child.exitCode === null && child.signalCode === null);
    if (!isReady) throw new Error(`${basename(this.#binary)} has ended: ${this.#log}`);
  }

  /** Ends the process by a signal. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Stops the process until `resume`. Its connections stay open. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }
}

async function waitForPort(host: string, port: number, isAlive: () => boolean): Promise<boolean> {
  while (isAlive()) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, host);
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return true;
    await setTimeout(10);
  }
  return false;
}
