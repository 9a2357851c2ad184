import type {
  AndOr,
  CommandNode as AnyCommand,
  Assignment,
  Command as CommandNode,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirection,
  Statement,
  Word,
} from 'unbash';
import { ArgumentSpaceError } from '../../environment/argument-space.ts';
import { FileError } from '../container-files.ts';
import { bracedWords } from './braces.ts';
import { builtinOf } from './builtins.ts';
import { Collected } from './collected.ts';
import { type CompoundHost, runCompound } from './compound-commands.ts';
import { Exit, LoopControl, Return } from './control.ts';
import { Input } from './input.ts';
import { parseScript, ShellSyntaxError } from './parse.ts';
import { pathsMatching } from './path-expansion.ts';
import { BrokenPipeError, Pipe } from './pipe.ts';
import type { Process } from './process.ts';
import { KilledError, NoForkError, type ProcessorTime } from './processor-time.ts';
import { RedirectionError, redirect } from './redirections.ts';
import type { FunctionBody, Job, ShellHost, ShellState } from './shell-host.ts';
import { exitCodeAfter, Signals } from './signals.ts';
import type { Streams } from './streams.ts';
import { Traps } from './traps.ts';
import { Variables } from './variables.ts';
import { ExpansionError, type WordScope, Words } from './words.ts';

/** The most bytes of the output of a substitution. */
const maxSubstituted = 1024 * 1024;
/** The most shells and functions within each other. */
const maxDepth = 40;

/** A shell in a simulated container. */
export class Shell implements ShellHost, CompoundHost {
  readonly #process: Process;
  readonly state: ShellState;
  readonly traps: Traps;
  readonly jobs = new Map<number, Job>();
  lastJob: number | undefined;
  #streams: Streams;
  /** Streams that `exec` has replaced, by what they were. */
  readonly #replaced = new WeakMap<Streams, Streams>();
  /** The depth of conditions, in which failures do not end the shell. */
  #conditions = 0;
  #substituted = 0;
  /** The former values of local variables, by function that runs. */
  readonly #locals: Map<string, string | undefined>[] = [];
  #random = 1;

  constructor(process: Process, state: Partial<ShellState> = {}) {
    this.#process = process;
    this.traps = new Traps(process);
    this.state = {
      name: 'sh',
      variables: new Variables(process.env),
      functions: new Map(),
      options: { exitOnError: false, isStrict: false, isTraced: false },
      positional: [],
      folder: process.folder,
      last: 0,
      ...state,
    };
    this.#streams = { stdin: process.stdin, out: process.out, err: process.err, others: new Map() };
  }

  get process(): Process {
    return this.#process;
  }

  get folder(): string {
    return this.state.folder;
  }

  async #runTraps(): Promise<void> {
    for (let script = this.traps.next(); script !== undefined; script = this.traps.next()) {
      const { last } = this.state;
      await this.evaluate(script, this.#streams);
      this.state.last = last;
    }
  }

  /**
   * Runs a script.
   *
   * @returns the exit code, and whether the script has ended the shell
   */
  async run(script: string): Promise<{ readonly code: number; readonly hasEnded: boolean }> {
    try {
      const code = await this.evaluate(script, this.#streams);
      return { code, hasEnded: false };
    } catch (error) {
      if (error instanceof Exit) return { code: error.code, hasEnded: true };
      if (error instanceof KilledError) return { code: error.exitCode, hasEnded: true };
      if (error instanceof BrokenPipeError) return { code: exitCodeAfter('PIPE'), hasEnded: true };
      throw error;
    }
  }

  /** Runs the script of the trap for the end of the shell. Returns the exit code. */
  async end(code: number): Promise<number> {
    const script = this.traps.scripts.get('EXIT');
    this.traps.set('EXIT', undefined);
    if (!script || this.#process.time.isKilled) return code;
    this.state.last = code;
    const { code: after, hasEnded } = await this.run(script);
    return hasEnded ? after : code;
  }

  /** Parses a script and runs it in this shell. */
  async evaluate(text: string, streams: Streams): Promise<number> {
    let script: ParsedScript;
    try {
      script = parseScript(text);
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      await this.say(error.message, streams);
      this.state.last = 2;
      return 2;
    }
    return this.list(script.commands, streams);
  }

  /** Writes a message about the script. */
  say = (message: string, { err }: Pick<Streams, 'err'> = this.#streams): Promise<void> =>
    err(`${this.state.name}: ${this.#isBash ? 'line 1: ' : ''}${message}\n`);

  get #isBash(): boolean {
    return /(?:^|\/)bash$/.test(this.state.name);
  }

  async list(statements: readonly Statement[], streams: Streams): Promise<number> {
    for (const statement of statements) {
      if (this.traps.isPending) await this.#runTraps();
      await this.#process.time.command();
      const current = this.#replaced.get(streams) ?? streams;
      if (statement.background) this.#inBackground(statement.command, current);
      else this.state.last = await this.#andOr(statement.command, current);
    }
    if (this.traps.isPending) await this.#runTraps();
    return this.state.last;
  }

  #inBackground(command: Statement['command'], streams: Streams): void {
    const signals = new Signals();
    const started: Omit<Job, 'code'>[] = [];
    const code = this.#process.time
      .child(async (time, pid) => {
        started.push({ pid, time, signals });
        const shell = this.#child({ time, pid, signals, stdin: Input.empty() });
        return shell.#ended(() => shell.#andOr(command, { ...streams, stdin: Input.empty() }));
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof NoForkError)) throw error;
        await this.say(error.message, streams);
        return 2;
      });
    code.catch(() => undefined);
    const [job] = started;
    if (job === undefined) return;
    const { pid } = job;
    this.lastJob = pid;
    this.jobs.set(pid, { ...job, code });
    this.state.last = 0;
  }

  /** Returns the exit code of a child of this shell, in which `work` runs. */
  async #ended(work: () => Promise<number>): Promise<number> {
    let code: number;
    try {
      code = await work();
    } catch (error) {
      if (error instanceof Exit || error instanceof Return) code = error.code;
      else if (error instanceof LoopControl) code = 0;
      else if (error instanceof KilledError) code = error.exitCode;
      else if (error instanceof BrokenPipeError) code = exitCodeAfter('PIPE');
      else throw error;
    }
    return this.end(code);
  }

  #child(process: Partial<Process>): Shell {
    const { variables, functions, options, ...state } = this.state;
    const child = new Shell(
      { ...this.#process, depth: this.#process.depth + 1, ...process },
      { ...state, variables: variables.copy(), functions: new Map(functions), options: { ...options } },
    );
    child.#conditions = this.#conditions;
    return child;
  }

  async #andOr(command: PipelineNode | AndOr, streams: Streams): Promise<number> {
    if (command.type !== 'AndOr') return this.#pipeline(command, streams);
    const last = command.commands.length - 1;
    let code = 0;
    for (const [index, each] of command.commands.entries()) {
      const operator = command.operators[index - 1];
      if ((operator === '&&' && code !== 0) || (operator === '||' && code === 0)) continue;
      code = index < last ? await this.condition(() => this.#pipeline(each, streams)) : await this.#pipeline(each, streams);
      this.state.last = code;
    }
    return code;
  }

  async condition(work: () => Promise<number>): Promise<number> {
    this.#conditions++;
    try {
      return await work();
    } finally {
      this.#conditions--;
    }
  }

  async #pipeline(node: PipelineNode, streams: Streams): Promise<number> {
    if (node.type !== 'Pipeline') return this.#checked(await this.#command(node, streams));
    const isNegated = node.prefixes.some(({ type }) => type === 'Negation');
    const run = (): Promise<number> => this.#connected(node, streams);
    const code = isNegated ? await this.condition(run) : await run();
    return isNegated ? Number(code === 0) : this.#checked(code);
  }

  /** Ends the shell after a failure if it is to. (set -e) */
  #checked(code: number): number {
    this.state.last = code;
    if (code !== 0 && this.state.options.exitOnError && this.#conditions === 0) throw new Exit(code);
    return code;
  }

  async #connected({ commands, operators }: Pipeline, streams: Streams): Promise<number> {
    const [only] = commands;
    if (commands.length === 1 && only !== undefined) return this.#command(only, streams);
    const { time } = this.#process;
    const running: Promise<number>[] = [];
    let { stdin } = streams;
    let previous: Pipe | undefined;
    for (const [index, command] of commands.entries()) {
      const pipe = index < commands.length - 1 ? new Pipe(time) : undefined;
      const out = pipe?.write ?? streams.out;
      const err = operators[index] === '|&' ? out : streams.err;
      const source = stdin;
      const before = previous;
      running.push(
        this.fork(streams, (shell) => shell.#command(command, { ...streams, stdin: source, out, err })).finally(() => {
          pipe?.end();
          before?.break();
        }),
      );
      previous = pipe;
      if (pipe !== undefined) stdin = pipe.input;
    }
    const codes = await Promise.all(running);
    return codes.at(-1) ?? 0;
  }

  /** Runs work in a child. */
  async fork(streams: Streams, work: (shell: Shell) => Promise<number>): Promise<number> {
    try {
      if (this.#process.depth >= maxDepth) throw new NoForkError();
      return await this.#process.time.child((time, pid) => {
        const shell = this.#child({ time, pid, stdin: streams.stdin, signals: new Signals() });
        return shell.#ended(() => work(shell));
      });
    } catch (error) {
      if (!(error instanceof NoForkError)) throw error;
      await this.say(error.message, streams);
      return 2;
    }
  }

  async #command(node: AnyCommand, streams: Streams): Promise<number> {
    try {
      return node.type === 'Command' ? await this.#simple(node, streams) : await runCompound(node, streams, this);
    } catch (error) {
      if (error instanceof FileError || error instanceof ArgumentSpaceError || error instanceof RedirectionError) {
        await this.say(error.message, streams);
        return 1;
      }
      if (error instanceof ExpansionError || error instanceof ShellSyntaxError) {
        await this.say(error.message, streams);
        throw new Exit(2);
      }
      throw error;
    }
  }

  async #simple({ name, prefix, args, redirects }: CommandNode, given: Streams): Promise<number> {
    this.#substituted = 0;
    const assignments = prefix.filter((each): each is Assignment => each.type === 'Assignment');
    const words = name === undefined ? [] : await this.#commandLine(name, args);
    const [command, ...rest] = words;
    if (command === undefined) {
      await this.redirected(given, redirects);
      for (const each of assignments) await this.#assign(each);
      return this.#substituted;
    }
    if (this.state.options.isTraced) await given.err(`+ ${words.join(' ')}\n`);
    const streams = await this.redirected(given, redirects);
    const saved: [string, string | undefined][] = [];
    for (const each of assignments) {
      saved.push([each.name, this.state.variables.get(each.name)]);
      await this.#assign(each);
      this.state.variables.export(each.name);
    }
    try {
      if (command === 'exec' && rest.length === 0) {
        for (const each of [given, this.#streams]) this.#replaced.set(each, streams);
        this.#streams = streams;
        return 0;
      }
      return await this.execute(command, rest, streams);
    } finally {
      for (const [variable, value] of saved) {
        if (value === undefined) this.state.variables.unset(variable);
        else this.state.variables.set(variable, value);
      }
    }
  }

  async #commandLine(name: Word, args: CommandNode['args']): Promise<string[]> {
    const words = this.words();
    const line = await words.fields(name);
    for (const each of args) {
      if (each.type === 'Word') line.push(...(await this.fields([each], words)));
      else line.push(`${each.name}${each.append ? '+=' : '='}${await this.#valueOf(each, words)}`);
    }
    return line;
  }

  async fields(list: readonly Word[], words = this.words()): Promise<string[]> {
    const fields: string[] = [];
    for (const word of list) {
      for (const each of this.#isBash ? bracedWords(word) : [word]) fields.push(...(await words.fields(each)));
    }
    return fields;
  }

  async #assign(assignment: Assignment): Promise<void> {
    const { name, append } = assignment;
    const value = await this.#valueOf(assignment, this.words());
    this.state.variables.set(name, append ? (this.state.variables.get(name) ?? '') + value : value);
  }

  async #valueOf({ value, index }: Assignment, words: Words): Promise<string> {
    if (value.type === 'ArrayValue' || index !== undefined) throw new ShellSyntaxError('syntax error: unexpected "("');
    return words.text(value);
  }

  /** Runs a command that may be a function, a builtin or a program. */
  async execute(name: string, args: readonly string[], streams: Streams): Promise<number> {
    const body = this.state.functions.get(name);
    if (body !== undefined) return this.#call(body, args, streams);
    return this.executeWithoutFunctions(name, args, streams);
  }

  async executeWithoutFunctions(name: string, args: readonly string[], streams: Streams): Promise<number> {
    const builtin = builtinOf(name);
    if (builtin !== undefined) return builtin(this, args, streams);
    if (name === 'exec') return this.#replace(args, streams);
    return this.spawn(name, args, streams);
  }

  async #replace([name, ...args]: readonly string[], streams: Streams): Promise<number> {
    if (name === undefined) return 0;
    throw new Exit(await this.spawn(name, args, streams, this.#process));
  }

  /** Runs a program. */
  async spawn(name: string, args: readonly string[], streams: Streams, as?: Process): Promise<number> {
    const run = async (time: ProcessorTime, pid: number): Promise<number> => {
      const process: Process = {
        ...this.now(),
        ...(as === undefined ? { time, pid, signals: new Signals(), depth: this.#process.depth + 1 } : {}),
        ...streams,
        args,
        env: this.state.variables.environment(),
      };
      try {
        return await process.run(name, process, this.state.name);
      } catch (error) {
        if (error instanceof KilledError && !this.#process.time.isKilled) return error.exitCode;
        // the shell itself writes what its own commands print
        if (error instanceof BrokenPipeError && !ownCommands.has(name)) return exitCodeAfter('PIPE');
        if (!(error instanceof FileError)) throw error;
        await streams.err(`${name}: ${error.message}\n`);
        return 1;
      }
    };
    if (as !== undefined || ownCommands.has(name)) return run(this.#process.time, this.#process.pid);
    try {
      if (this.#process.depth >= maxDepth) throw new NoForkError();
      return await this.#process.time.child(run);
    } catch (error) {
      if (error instanceof NoForkError) throw new FileError(error.message);
      throw error;
    }
  }

  async #call(body: FunctionBody, args: readonly string[], streams: Streams): Promise<number> {
    const { state } = this;
    if (this.#locals.length >= maxDepth) throw new ExpansionError('maximum function nesting level exceeded');
    const { positional } = state;
    state.positional = args;
    this.#locals.push(new Map());
    try {
      return body.type === 'CompoundList' ? await this.list(body.commands, streams) : await runCompound(body, streams, this);
    } catch (error) {
      if (error instanceof Return) return error.code;
      throw error;
    } finally {
      state.positional = positional;
      for (const [name, value] of this.#locals.pop() ?? []) {
        if (value === undefined) state.variables.unset(name);
        else state.variables.set(name, value);
      }
    }
  }

  /** Makes a variable local to the current function. */
  local(name: string): void {
    const locals = this.#locals.at(-1);
    if (locals !== undefined && !locals.has(name)) locals.set(name, this.state.variables.get(name));
  }

  redirected(streams: Streams, redirects: readonly Redirection[]): Promise<Streams> | Streams {
    if (redirects.length === 0) return streams;
    const { files, time, console } = this.#process;
    return redirect(streams, redirects, this.words(), { files, time, console, folder: this.state.folder });
  }

  now(): Process {
    return { ...this.#process, folder: this.state.folder };
  }

  words(): Words {
    const { state } = this;
    const scope: WordScope = {
      get: (name) => this.parameter(name),
      set: (name, value) => state.variables.set(name, value),
      get positional() {
        return state.positional;
      },
      isStrict: state.options.isStrict,
      substitute: (script) => this.#substitute(script),
      files: (pattern) => pathsMatching(pattern, this.#process.files, state.folder),
    };
    return new Words(scope);
  }

  parameter(name: string): string | undefined {
    const { state } = this;
    switch (name) {
      case '?':
        return String(state.last);
      case '#':
        return String(state.positional.length);
      case '@':
      case '*':
        return state.positional.join(' ');
      case '$':
        return String(this.#process.pid);
      case '!':
        return this.lastJob === undefined ? '' : String(this.lastJob);
      case '-':
        return `${state.options.exitOnError ? 'e' : ''}${state.options.isStrict ? 'u' : ''}`;
      case '0':
        return state.name;
      case 'PWD':
        return state.folder;
      case 'RANDOM':
        this.#random = (this.#random * 1_103_515_245 + 12_345) % 2 ** 31;
        return String(this.#random >> 16);
      default:
        return /^\d+$/.test(name) ? state.positional[Number(name) - 1] : state.variables.get(name);
    }
  }

  async #substitute(script: ParsedScript): Promise<string> {
    const output = new Collected(maxSubstituted);
    const streams: Streams = {
      ...this.#streams,
      out: async (data) => {
        output.add(data);
        await this.#process.time.use();
      },
    };
    this.#substituted = await this.fork(streams, (shell) => shell.list(script.commands, streams));
    this.state.last = this.#substituted;
    return output.bytes.toString().replaceAll('\0', '');
  }
}

/** The programs that are part of every shell, too. */
const ownCommands: ReadonlySet<string> = new Set(['echo', 'printf', 'pwd', 'test', '[', 'true', 'false']);
