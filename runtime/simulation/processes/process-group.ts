import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../../machinery/clock.ts';
import type { Watchdog } from './watchdog.ts';

export interface ProcessSpec {
  /** An absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  /** Whether the process has a standard input. */
  readonly hasInput: boolean;
  /** Whether a reader waits for the end of the streams. Otherwise, they end a second after the process. */
  readonly isRead?: boolean;
}

/** Milliseconds in which the streams of an ended process must end. */
const streamsEndIn = 1000;

/** A process of this machine, with all that it starts. No shell is between: arguments and variables are data. */
export class ProcessGroup {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves with the exit code, when the process and its streams have ended. */
  readonly ended: Promise<number>;
  #hasEnded = false;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, watchdog: Watchdog, isRead: boolean) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    this.stdin = child.stdin;
    this.stdout = child.stdout as Readable;
    this.stderr = child.stderr as Readable;
    // a process that has ended does not read
    this.stdin?.on('error', () => undefined);
    watchdog.add(this.pid);
    this.ended = this.#end(isRead).finally(() => watchdog.remove(this.pid));
  }

  /** @throws Error with a system's code */
  static async start({ file, args, cwd, env, hasInput, isRead = false }: ProcessSpec, watchdog: Watchdog): Promise<ProcessGroup> {
    const child = spawn(file, args, {
      cwd,
      env: Object.fromEntries(env),
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return new ProcessGroup(child, watchdog, isRead);
  }

  /** Sends a signal, such as `TERM`, to all processes of the group. */
  signal(name: string): void {
    if (!this.#hasEnded) this.#send(`SIG${name}` as NodeJS.Signals);
  }

  kill(): void {
    this.signal('KILL');
  }

  /** Ends the output, which a process that has left the group may hold open. */
  endStreams(): void {
    this.stdout.destroy();
    this.stderr.destroy();
  }

  async #end(isRead: boolean): Promise<number> {
    const closed = new Promise<void>((resolve) => void this.#child.once('close', () => resolve()));
    const exitCode = await new Promise<number>((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0))));
    });
    // the others of the group end with its first process, as those of a container do
    this.#send('SIGKILL');
    this.#hasEnded = true;
    if (!isRead) systemClock.after(streamsEndIn, () => this.endStreams());
    await closed;
    return exitCode;
  }

  #send(signal: NodeJS.Signals): void {
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-this.pid, signal);
    } catch {
      // the group has no processes left
    }
  }
}
