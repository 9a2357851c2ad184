/** The most characters of a process's variables and arguments. (ARG_MAX of Linux) */
const size = 2 * 1024 * 1024;

export class ArgumentSpaceError extends Error {
  constructor() {
    super('argument list too long');
  }
}

/** The room for a process's variables, or for its arguments. References let small objects request any amount of it. */
export class ArgumentSpace {
  #left = size;

  /** @throws ArgumentSpaceError */
  take(text: string): void {
    const left = this.#left - text.length - 1;
    if (left < 0) throw new ArgumentSpaceError();
    this.#left = left;
  }

  /** Returns room that was taken before. */
  giveBack(text: string): void {
    this.#left += text.length + 1;
  }
}
