import type { ArithmeticFor, Case, Command, CommandNode, CompoundList, For, If, Redirection, Statement, Word } from 'unbash';
import { LoopControl } from './control.ts';
import { matchesGlob } from './glob.ts';
import { ShellSyntaxError } from './parse.ts';
import type { Process } from './process.ts';
import type { ShellState } from './shell-host.ts';
import type { Streams } from './streams.ts';
import { holds } from './test-command.ts';
import type { Words } from './words.ts';

/** The shell as its compound commands see it. */
export interface CompoundHost {
  readonly process: Process;
  readonly state: ShellState;
  /** Runs statements one after the other. Returns the exit code of the last. */
  list(statements: readonly Statement[], streams: Streams): Promise<number>;
  /** Runs work whose failure does not end the shell. */
  condition(work: () => Promise<number>): Promise<number>;
  /** Runs work in a child. */
  fork(streams: Streams, work: (shell: CompoundHost) => Promise<number>): Promise<number>;
  redirected(streams: Streams, redirects: readonly Redirection[]): Promise<Streams> | Streams;
  /** Returns the fields that words expand to. */
  fields(list: readonly Word[]): Promise<string[]>;
  words(): Words;
  /** Returns the process with the shell's folder. */
  now(): Process;
}

/** Runs a compound command. Returns its exit code. */
export async function runCompound(node: Exclude<CommandNode, Command>, given: Streams, shell: CompoundHost): Promise<number> {
  switch (node.type) {
    case 'Redirected':
      return runCompound(node.command, await shell.redirected(given, node.redirects), shell);
    case 'If':
      return runIf(node, given, shell);
    case 'While':
      return loop(async () => ((await tested(node.clause, given, shell)) === 0) === (node.kind === 'while'), node.body, given, shell);
    case 'For':
      return runFor(node, given, shell);
    case 'ArithmeticFor':
      return runArithmeticFor(node, given, shell);
    case 'Case':
      return runCase(node, given, shell);
    case 'Subshell':
      return shell.fork(given, (child) => child.list(node.body.commands, given));
    case 'BraceGroup':
      return shell.list(node.body.commands, given);
    case 'Function':
      shell.state.functions.set(node.name.text, node.body);
      return 0;
    case 'ArithmeticCommand':
      return Number((await shell.words().number(node.expression)) === 0n);
    case 'TestCommand':
      return Number(!(await holds(node.expression, shell.words(), shell.now())));
    default:
      throw new ShellSyntaxError(`syntax error: ${node.type.toLowerCase()} is not supported`);
  }
}

async function runIf({ clause, then, elif, else: otherwise }: If, streams: Streams, shell: CompoundHost): Promise<number> {
  if ((await tested(clause, streams, shell)) === 0) return shell.list(then.commands, streams);
  for (const branch of elif) {
    if ((await tested(branch.clause, streams, shell)) === 0) return shell.list(branch.then.commands, streams);
  }
  return otherwise === undefined ? 0 : shell.list(otherwise.commands, streams);
}

const tested = ({ commands }: CompoundList, streams: Streams, shell: CompoundHost): Promise<number> =>
  shell.condition(() => shell.list(commands, streams));

async function loop(goesOn: () => Promise<boolean>, { commands }: CompoundList, streams: Streams, shell: CompoundHost): Promise<number> {
  let code = 0;
  for (;;) {
    await shell.process.time.command();
    try {
      if (!(await goesOn())) return code;
      code = await shell.list(commands, streams);
    } catch (error) {
      if (!(error instanceof LoopControl)) throw error;
      if (error.levels > 1) throw new LoopControl(error.kind, error.levels - 1);
      if (error.kind === 'break') return 0;
    }
  }
}

async function runFor({ name, wordlist, body }: For, streams: Streams, shell: CompoundHost): Promise<number> {
  const { state } = shell;
  const values = wordlist === undefined ? [...state.positional] : await shell.fields(wordlist);
  const rest = values[Symbol.iterator]();
  const next = async (): Promise<boolean> => {
    const { done, value } = rest.next();
    if (!done) state.variables.set(name.text, value);
    return !done;
  };
  return loop(next, body, streams, shell);
}

async function runArithmeticFor({ initialize, test, update, body }: ArithmeticFor, streams: Streams, shell: CompoundHost): Promise<number> {
  const words = shell.words();
  await words.number(initialize);
  let isFirst = true;
  const next = async (): Promise<boolean> => {
    if (!isFirst) await words.number(update);
    isFirst = false;
    return test === undefined || (await words.number(test)) !== 0n;
  };
  return loop(next, body, streams, shell);
}

async function runCase({ word, items }: Case, streams: Streams, shell: CompoundHost): Promise<number> {
  const words = shell.words();
  const text = await words.text(word);
  let code = 0;
  let fallsThrough = false;
  for (const { pattern, body, terminator } of items) {
    let matches = fallsThrough;
    for (const each of pattern) matches ||= matchesGlob(await words.pattern(each), text);
    if (!matches) continue;
    code = await shell.list(body.commands, streams);
    if (terminator === ';&') fallsThrough = true;
    else if (terminator !== ';;&') return code;
  }
  return code;
}
