import type { Process } from './process.ts';

/** The scripts that a shell runs at signals, and the signals that have arrived and still wait for theirs. */
export class Traps {
  /** Scripts by signal. `EXIT` is the end of the shell, and "" ignores a signal. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly #scripts = new Map<string, string>();
  readonly #process: Process;
  readonly #pending: string[] = [];
  #wakeUp: (() => void)[] = [];

  constructor(process: Process) {
    this.#process = process;
    this.scripts = this.#scripts;
  }

  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Sets what happens at a signal: runs a script, ignores it if the script is "", or the default. */
  set(signal: string, script: string | undefined): void {
    if (script === undefined) this.#scripts.delete(signal);
    else this.#scripts.set(signal, script);
    if (signal === 'EXIT') return;
    this.#process.signals.handle(signal, script === undefined ? undefined : () => this.#notice(signal));
  }

  /** Returns the script of the next signal that has arrived. */
  next(): string | undefined {
    for (let signal = this.#pending.shift(); signal !== undefined; signal = this.#pending.shift()) {
      const script = this.#scripts.get(signal);
      if (script) return script;
    }
    return undefined;
  }

  /** Resolves at the next signal with a trap, or when the shell is killed. */
  async signalled(): Promise<void> {
    if (this.isPending) return;
    let forget = (): void => undefined;
    await new Promise<void>((resolve) => {
      this.#wakeUp.push(resolve);
      forget = this.#process.time.onKill(resolve);
    });
    forget();
  }

  #notice(signal: string): void {
    this.#pending.push(signal);
    const waiting = this.#wakeUp;
    this.#wakeUp = [];
    for (const wake of waiting) wake();
  }
}
