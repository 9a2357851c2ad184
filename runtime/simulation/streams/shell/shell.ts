import { Readable } from 'node:stream';
import { ArgumentSpace, ArgumentSpaceError } from '../../environment/argument-space.ts';
import { FileError, resolvePath } from '../container-files.ts';
import { Collected } from './collected.ts';
import { commands, readAll } from './commands.ts';
import { parseScript, type Redirection, ShellSyntaxError, type SimpleCommand, type Step, type Word } from './parse.ts';
import type { Process } from './process.ts';
import { KilledError } from './processor-time.ts';

/** The most bytes between two commands of a pipeline. */
const maxPiped = 16 * 1024 * 1024;

export const isShell = (name: string): boolean => /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|ash)$/.test(name);

/** The command of this name, with or without its folder; undefined if there is none. */
export function commandOf(name: string): (typeof commands)[string] | undefined {
  const short = name.replace(/^\/(?:usr\/)?s?bin\//, '');
  return Object.hasOwn(commands, short) ? commands[short] : undefined;
}

/** The exit code of an ended shell. */
class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** A shell in a simulated container. */
export class Shell {
  readonly #process: Process;
  #last = 0;
  /** The room that variables leave; undefined before the first assignment. */
  #room: ArgumentSpace | undefined;

  constructor(process: Process) {
    this.#process = process;
  }

  get folder(): string {
    return this.#process.folder;
  }

  /**
   * Runs a script.
   *
   * @returns the exit code, and whether the script has ended the shell
   */
  async run(script: string): Promise<{ readonly code: number; readonly hasEnded: boolean }> {
    let steps: Step[];
    try {
      steps = parseScript(script);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      await this.#process.err(`sh: ${error.message}\n`);
      this.#last = 2;
      return { code: 2, hasEnded: false };
    }
    try {
      for (const { when, pipeline } of steps) {
        await this.#process.time.command();
        if ((when === '&&' && this.#last !== 0) || (when === '||' && this.#last === 0)) continue;
        this.#last = await this.#runPipeline(pipeline);
      }
    } catch (error) {
      if (error instanceof Exit) return { code: error.code, hasEnded: true };
      if (error instanceof KilledError) return { code: 137, hasEnded: true };
      throw error;
    }
    return { code: this.#last, hasEnded: false };
  }

  async #runPipeline(pipeline: readonly SimpleCommand[]): Promise<number> {
    let { stdin } = this.#process;
    let code = 0;
    for (const [index, command] of pipeline.entries()) {
      const isLast = index === pipeline.length - 1;
      const piped = new Collected(maxPiped);
      const out = isLast ? this.#process.out : collect(piped);
      if (index > 0) await this.#process.time.command();
      code = await this.#runCommand(command, { ...this.#process, stdin, out });
      if (!isLast) stdin = Readable.from([piped.bytes]);
    }
    return code;
  }

  async #runCommand({ assignments, words, redirections }: SimpleCommand, process: Process): Promise<number> {
    const space = new ArgumentSpace();
    const written = new Map<string, Collected>();
    try {
      const [name, ...args] = words
        .map((word) => this.#expand(word, space))
        .filter((word, index) => word !== '' || words[index]?.length === 1);
      for (const { name: variable, value } of assignments) this.#assign(variable, this.#expand(value, space));
      const redirected = { ...process, args };
      for (const redirection of redirections) this.#redirect(redirection, redirected, written);
      const code = name === undefined ? 0 : await this.#execute(name, redirected);
      for (const [path, content] of written) process.files.write(path, content.bytes);
      return code;
    } catch (error) {
      if (!(error instanceof FileError) && !(error instanceof ArgumentSpaceError)) throw error;
      await process.err(`sh: ${error.message}\n`);
      return 1;
    }
  }

  #redirect({ kind, to }: Redirection, process: Process & { args: readonly string[] }, written: Map<string, Collected>): void {
    if (kind === '2>&1') {
      process.err = process.out;
      return;
    }
    if (kind === '>&2') {
      process.out = process.err;
      return;
    }
    const path = resolvePath(process.folder, this.#expand(to, new ArgumentSpace()));
    if (kind === '<') {
      process.stdin = Readable.from([process.files.read(path)]);
      return;
    }
    const content = new Collected(maxPiped);
    if (kind === '>>' && process.files.isFile(path)) content.add(process.files.read(path));
    const write = path === '/dev/null' ? async () => process.time.use() : collect(content);
    if (path !== '/dev/null') written.set(path, content);
    if (kind === '2>') process.err = write;
    else process.out = write;
  }

  async #execute(name: string, process: Process): Promise<number> {
    const { args } = process;
    switch (name) {
      case 'exit':
        throw new Exit(args[0] === undefined ? this.#last : Number(args[0]) & 255);
      case ':':
        return 0;
      case 'export':
        for (const arg of args) {
          const [variable = '', ...value] = arg.split('=');
          if (value.length > 0) this.#assign(variable, value.join('='));
        }
        return 0;
      case 'exec':
        throw new Exit(args[0] === undefined ? 0 : await this.#execute(args[0], { ...process, args: args.slice(1) }));
      case 'cd': {
        const folder = resolvePath(this.#process.folder, args[0] ?? '/root');
        if (process.files.isFolder(folder)) this.#process.folder = folder;
        else await process.err(`sh: cd: can't cd to ${args[0]}: No such file or directory\n`);
        return process.files.isFolder(folder) ? 0 : 2;
      }
      default:
        return this.#spawn(name, process);
    }
  }

  async #spawn(name: string, process: Process): Promise<number> {
    if (isShell(name)) {
      const code = await process.time.nested(() => runShell({ ...process, env: new Map(process.env) }));
      if (code === undefined) await process.err("sh: can't fork: Resource temporarily unavailable\n");
      return code ?? 2;
    }
    const command = commandOf(name);
    if (command !== undefined) return command(process);
    await process.err(`sh: ${name}: not found\n`);
    return 127;
  }

  /** @throws ArgumentSpaceError if the variables together take too much room */
  #assign(name: string, value: string): void {
    const { env } = this.#process;
    this.#room ??= roomOf(env);
    const before = env.get(name);
    if (before !== undefined) this.#room.giveBack(before);
    // copies the text: a concatenated string would keep its parts in memory
    const stored = Buffer.from(value).toString();
    try {
      this.#room.take(stored);
    } catch (error) {
      if (before !== undefined) this.#room.take(before);
      throw error;
    }
    env.set(name, stored);
  }

  /** @throws ArgumentSpaceError */
  #expand(word: Word, space: ArgumentSpace): string {
    return word
      .map((part) => {
        if (typeof part === 'string') return part;
        const value = part.variable === '?' ? String(this.#last) : (this.#process.env.get(part.variable) ?? '');
        space.take(value);
        return value;
      })
      .join('');
  }
}

/** Runs `sh -c SCRIPT`, or a script from standard input. */
export async function runShell(process: Process): Promise<number> {
  const { args } = process;
  const at = args.findIndex((arg) => /^-\w*c$/.test(arg));
  if (at >= 0) return (await new Shell(process).run(args[at + 1] ?? '')).code;
  const script = (await readAll(process.stdin)).toString();
  return (await new Shell({ ...process, stdin: undefined }).run(script)).code;
}

function roomOf(env: ReadonlyMap<string, string>): ArgumentSpace {
  const room = new ArgumentSpace();
  for (const value of env.values()) room.take(value);
  return room;
}

const collect =
  (content: Collected): Process['out'] =>
  async (data) =>
    content.add(data);
