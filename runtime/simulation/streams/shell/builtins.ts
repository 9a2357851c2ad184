import { FileError, resolvePath } from '../container-files.ts';
import { commandOf } from './commands/table.ts';
import { Exit, LoopControl, Return } from './control.ts';
import { KilledError } from './processor-time.ts';
import type { ShellHost } from './shell-host.ts';
import { exitCodeAfter, signalName } from './signals.ts';
import type { Streams } from './streams.ts';

/* The commands that change their shell. */

type Builtin = (shell: ShellHost, args: readonly string[], streams: Streams) => Promise<number> | number;

export const builtinOf = (name: string): Builtin | undefined => (Object.hasOwn(builtins, name) ? builtins[name] : undefined);

const maxLine = 64 * 1024;
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);

const builtins: Readonly<Record<string, Builtin>> = {
  ':': () => 0,
  '.': source,
  source,
  alias: () => 0,
  async cd(shell, [given], { out, err }) {
    const { state, process } = shell;
    const target = given === '-' ? (state.variables.get('OLDPWD') ?? state.folder) : (given ?? state.variables.get('HOME') ?? '/');
    const folder = resolvePath(state.folder, target);
    if (!process.files.isFolder(folder)) {
      const why = process.files.isFile(folder) ? 'Not a directory' : 'No such file or directory';
      await err(`${state.name}: cd: can't cd to ${target}: ${why}\n`);
      return 2;
    }
    state.variables.set('OLDPWD', state.folder);
    state.folder = folder;
    if (given === '-') await out(`${folder}\n`);
    return 0;
  },
  async command(shell, args, streams) {
    const [first = '', ...rest] = args;
    if (first === '-v' || first === '-V') return describe(shell, rest, streams, first === '-V');
    const line = first === '-p' || first === '--' ? rest : args;
    const [name, ...others] = line;
    return name === undefined ? 0 : shell.executeWithoutFunctions(name, others, streams);
  },
  break: (_, [levels]) => leave('break', levels),
  continue: (_, [levels]) => leave('continue', levels),
  declare: (shell, args) => declare(shell, args, true),
  eval: (shell, args, streams) => shell.evaluate(args.join(' '), streams),
  exit({ state }, [code]) {
    throw new Exit(code === undefined ? state.last : Number(code) & 255);
  },
  export(shell, args) {
    for (const arg of args) {
      const name = assigned(shell, arg);
      if (name !== undefined) shell.state.variables.export(name);
    }
    return 0;
  },
  getopts,
  hash: () => 0,
  jobs: () => 0,
  kill,
  local: (shell, args) => declare(shell, args, true),
  async pwd({ state }, _, { out }) {
    await out(`${state.folder}\n`);
    return 0;
  },
  read,
  readonly(shell, args) {
    for (const arg of args) {
      const name = assigned(shell, arg);
      if (name !== undefined) shell.state.variables.protect(name);
    }
    return 0;
  },
  return({ state }, [code]) {
    throw new Return(code === undefined ? state.last : Number(code) & 255);
  },
  set,
  async shift(shell, [count = '1'], streams) {
    const { state } = shell;
    if (Number(count) > state.positional.length) {
      await shell.say("shift: can't shift that many", streams);
      return 1;
    }
    state.positional = state.positional.slice(Number(count));
    return 0;
  },
  trap,
  type: (shell, args, streams) => describe(shell, args, streams, true),
  typeset: (shell, args) => declare(shell, args, true),
  async ulimit(_, _args, { out }) {
    await out('unlimited\n');
    return 0;
  },
  async umask(_, args, { out }) {
    if (args.length === 0) await out('0022\n');
    return 0;
  },
  unset({ state }, args) {
    const isFunction = args[0] === '-f';
    for (const name of args.filter((arg) => !arg.startsWith('-'))) {
      if (isFunction || !state.variables.get(name)) state.functions.delete(name);
      if (!isFunction) state.variables.unset(name);
    }
    return 0;
  },
  wait,
};

function leave(kind: 'break' | 'continue', levels = '1'): never {
  throw new LoopControl(kind, Math.max(1, Number(levels) || 1));
}

/** Assigns `NAME=VALUE`, and returns the name; undefined for anything else. */
function assigned({ state }: ShellHost, text: string): string | undefined {
  const [name = '', ...value] = text.split('=');
  if (!isName(name)) return undefined;
  if (value.length > 0) state.variables.set(name, value.join('='));
  return name;
}

function declare(shell: ShellHost, args: readonly string[], isLocal: boolean): number {
  for (const arg of args.filter((each) => !each.startsWith('-'))) {
    const [name = ''] = arg.split('=');
    if (!isName(name)) continue;
    if (isLocal) shell.local(name);
    assigned(shell, arg);
  }
  return 0;
}

async function source(shell: ShellHost, [path, ...args]: readonly string[], streams: Streams): Promise<number> {
  const { state, process } = shell;
  if (path === undefined) return 2;
  let script: string;
  try {
    script = process.files.read(resolvePath(state.folder, path)).toString();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await shell.say(`.: can't open '${path}': ${error.message}`, streams);
    throw new Exit(2);
  }
  const { positional } = state;
  if (args.length > 0) state.positional = args;
  try {
    return await shell.evaluate(script, streams);
  } catch (error) {
    if (error instanceof Return) return error.code;
    throw error;
  } finally {
    state.positional = positional;
  }
}

async function describe(shell: ShellHost, names: readonly string[], { out, err }: Streams, isLong: boolean): Promise<number> {
  let code = 0;
  for (const name of names) {
    const isOwn = builtinOf(name) !== undefined || shell.state.functions.has(name);
    const isThere = isOwn || commandOf(name) !== undefined;
    if (!isThere) {
      code = 127;
      if (isLong) await err(`${name}: not found\n`);
    } else if (isLong) await out(isOwn ? `${name} is a shell builtin\n` : `${name} is /bin/${name}\n`);
    else await out(isOwn ? `${name}\n` : `/bin/${name}\n`);
  }
  return code;
}

async function getopts(shell: ShellHost, [options = '', name = '', ...given]: readonly string[]): Promise<number> {
  const { variables, positional } = shell.state;
  const args = given.length > 0 ? given : positional;
  const index = Number(variables.get('OPTIND') ?? '1');
  const offset = Number(variables.get('OPTOFF') ?? '1');
  const word = args[index - 1];
  if (word === undefined || !/^-./.test(word) || word === '--') {
    variables.set(name, '?');
    return 1;
  }
  const letter = word.charAt(offset);
  const at = options.indexOf(letter);
  const takesValue = at >= 0 && options[at + 1] === ':';
  const isLast = offset + 1 >= word.length;
  variables.set(name, at < 0 ? '?' : letter);
  if (takesValue) variables.set('OPTARG', isLast ? (args[index] ?? '') : word.slice(offset + 1));
  const isDone = takesValue || isLast;
  variables.set('OPTIND', String(isDone ? index + (takesValue && isLast ? 2 : 1) : index));
  variables.set('OPTOFF', String(isDone ? 1 : offset + 1));
  return 0;
}

async function kill(shell: ShellHost, args: readonly string[], streams: Streams): Promise<number> {
  let signal = 'TERM';
  let code = 0;
  const targets: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '-s') signal = signalName(args[++at] ?? '') ?? 'TERM';
    else if (arg === '-0') signal = 'EXIT';
    else if (/^-[A-Za-z0-9]/.test(arg) && targets.length === 0) signal = signalName(arg.slice(1)) ?? 'TERM';
    else if (arg !== '--') targets.push(arg);
  }
  for (const target of targets) {
    const pid = Number(target.replace(/^%/, ''));
    const job = target.startsWith('%') ? [...shell.jobs.values()][pid - 1] : shell.jobs.get(pid);
    if (job !== undefined) {
      if (signal !== 'EXIT' && !job.signals.send(signal)) job.time.kill(exitCodeAfter(signal));
    } else if (pid === shell.process.pid) {
      if (signal !== 'EXIT' && !shell.process.signals.send(signal) && pid !== 1) throw new KilledError(exitCodeAfter(signal));
    } else if (pid === 1) shell.process.signalFirst(signal);
    else {
      await shell.say(`can't kill pid ${target}: No such process`, streams);
      code = 1;
    }
  }
  return code;
}

async function read(shell: ShellHost, args: readonly string[], { stdin, err }: Streams): Promise<number> {
  const { variables } = shell.state;
  const names: string[] = [];
  let isRaw = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (/^-[rs]+$/.test(arg)) isRaw ||= arg.includes('r');
    else if (arg === '-p') await err(args[++at] ?? '');
    else if (/^-[tnud]$/.test(arg)) at++;
    else if (!arg.startsWith('-')) names.push(arg);
  }
  let line = '';
  let isComplete = false;
  for (;;) {
    const next = await stdin.line(shell.process.time, maxLine);
    if (next === undefined) break;
    isComplete = next.isComplete;
    if (isRaw || !/(?:^|[^\\])(?:\\\\)*\\$/.test(next.text) || line.length > maxLine) {
      line += next.text;
      break;
    }
    line += next.text.slice(0, -1);
  }
  const text = isRaw ? line : line.replace(/\\(.)/gs, '$1');
  assignFields(text, names.length > 0 ? names : ['REPLY'], variables.get('IFS') ?? ' \t\n', (name, value) => variables.set(name, value));
  return isComplete ? 0 : 1;
}

/** Splits a line into variables. The last one gets what is left. */
function assignFields(line: string, names: readonly string[], separators: string, set: (name: string, value: string) => void): void {
  const blanks = [...separators].filter((char) => ' \t\n'.includes(char)).join('');
  const isIn = (chars: string, at: number): boolean => at < line.length && chars.includes(line.charAt(at));
  let at = 0;
  let end = line.length;
  while (isIn(blanks, at)) at++;
  while (end > at && isIn(blanks, end - 1)) end--;
  for (const [index, name] of names.entries()) {
    if (index === names.length - 1) {
      set(name, line.slice(at, end));
      return;
    }
    const start = at;
    while (at < end && !separators.includes(line.charAt(at))) at++;
    set(name, line.slice(start, at));
    while (at < end && isIn(blanks, at)) at++;
    if (at < end && isIn(separators, at) && !isIn(blanks, at)) at++;
    while (at < end && isIn(blanks, at)) at++;
  }
}

async function set(shell: ShellHost, args: readonly string[], { out }: Streams): Promise<number> {
  const { state } = shell;
  if (args.length === 0) {
    for (const [name, value] of state.variables.entries()) await out(`${name}='${value}'\n`);
    return 0;
  }
  const apply = (letter: string, isOn: boolean): void => {
    if (letter === 'e') state.options.exitOnError = isOn;
    if (letter === 'u') state.options.isStrict = isOn;
    if (letter === 'x') state.options.isTraced = isOn;
  };
  const long: Readonly<Record<string, string>> = { errexit: 'e', nounset: 'u', xtrace: 'x' };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--' || !/^[-+]./.test(arg)) {
      state.positional = args.slice(arg === '--' ? at + 1 : at);
      break;
    }
    const isOn = arg.startsWith('-');
    for (const letter of arg.slice(1)) {
      if (letter === 'o') apply(long[args[++at] ?? ''] ?? '', isOn);
      else apply(letter, isOn);
    }
  }
  return 0;
}

async function trap(shell: ShellHost, args: readonly string[], streams: Streams): Promise<number> {
  const [first, ...rest] = args[0] === '--' ? args.slice(1) : args;
  if (first === undefined) {
    for (const [signal, script] of shell.traps.scripts) await streams.out(`trap -- '${script}' ${signal}\n`);
    return 0;
  }
  const resets = rest.length === 0 || first === '-';
  let code = 0;
  for (const given of rest.length === 0 ? [first] : rest) {
    const signal = signalName(given);
    if (signal !== undefined) shell.traps.set(signal, resets ? undefined : first);
    else if (given !== 'ERR' && given !== 'DEBUG') {
      await shell.say(`trap: ${given}: invalid signal specification`, streams);
      code = 1;
    }
  }
  return code;
}

async function wait(shell: ShellHost, args: readonly string[]): Promise<number> {
  const jobs =
    args.length > 0 ? args.filter((arg) => !arg.startsWith('-')).map((arg) => shell.jobs.get(Number(arg))) : [...shell.jobs.values()];
  let code = 0;
  for (const job of jobs) {
    if (job === undefined) {
      code = 127;
      continue;
    }
    const interrupted = 143;
    let hasEnded = false;
    const done = job.code.then((result) => {
      hasEnded = true;
      return result;
    });
    const result = await Promise.race([done, shell.traps.signalled().then(() => interrupted)]);
    shell.process.time.check();
    if (!hasEnded) return interrupted;
    shell.jobs.delete(job.pid);
    code = args.length > 0 ? result : 0;
  }
  return code;
}
