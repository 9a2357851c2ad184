/** The signals that a process handles, by name without `SIG`. */
export class Signals {
  readonly #handlers = new Map<string, () => void>();

  /** Sets the handler of a signal; undefined for the default action. */
  handle(signal: string, handler: (() => void) | undefined): void {
    if (handler === undefined) this.#handlers.delete(signal);
    else this.#handlers.set(signal, handler);
  }

  /** Reports whether the process handles the signal. */
  send(signal: string): boolean {
    const handler = this.#handlers.get(signal);
    handler?.();
    return handler !== undefined;
  }
}

const numbers: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
};

/** Returns a signal's name: `TERM` for `SIGTERM`, `term` and `15`; `EXIT` for `0`. Undefined if there is none. */
export function signalName(text: string): string | undefined {
  const name = text.toUpperCase().replace(/^SIG/, '');
  if (name === 'EXIT' || name === '0') return 'EXIT';
  if (Object.hasOwn(numbers, name)) return name;
  return Object.keys(numbers).find((each) => String(numbers[each]) === name);
}

/** Returns the exit code of a process that a signal has ended. */
export const exitCodeAfter = (signal: string): number => 128 + (numbers[signal] ?? 0);
