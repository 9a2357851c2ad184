import { FileError, resolvePath } from '../container-files.ts';
import { createArchive, extractArchive } from './archive.ts';
import { Collected } from './collected.ts';
import type { Process } from './process.ts';

/** Runs a command, and returns the exit code. */
type Command = (process: Process) => Promise<number> | number;

/** The most bytes that a command reads. */
const maxInput = 16 * 1024 * 1024;

/** The commands in the $PATH of every simulated image. */
export const commands: Readonly<Record<string, Command>> = {
  async cat({ args, files, folder, stdin, time, out, err }) {
    if (args.length === 0) {
      for await (const chunk of stdin ?? []) {
        await time.use();
        await out(chunk);
      }
      return 0;
    }
    let code = 0;
    for (const path of args) {
      await time.use();
      code = await tryFile(`cat: can't open '${path}'`, err, code, () => out(files.read(resolvePath(folder, path))));
    }
    return code;
  },
  async date({ clock, out }) {
    await out(`${new Date(clock.now()).toUTCString()}\n`);
    return 0;
  },
  async echo({ args, out }) {
    const [first, ...rest] = args;
    await out(first === '-n' ? rest.join(' ') : `${args.join(' ')}\n`);
    return 0;
  },
  async env({ env, out }) {
    await out(listed(env));
    return 0;
  },
  false: () => 1,
  async head({ args, stdin, files, folder, out, err }) {
    const { count, paths } = lineCount(args);
    const input = await inputOf('head', paths, { stdin, files, folder, err });
    if (input === undefined) return 1;
    await out(input.subarray(0, endOfLines(input, count)));
    return 0;
  },
  async hostname({ env, out }) {
    await out(`${env.get('HOSTNAME') ?? ''}\n`);
    return 0;
  },
  async id({ out }) {
    await out('uid=0(root) gid=0(root) groups=0(root)\n');
    return 0;
  },
  async ls({ args, files, folder, time, out, err }) {
    const given = args.filter((arg) => !arg.startsWith('-'));
    let code = 0;
    for (const path of given.length > 0 ? given : ['.']) {
      await time.use();
      const full = resolvePath(folder, path);
      if (files.isFolder(full))
        await out(
          files
            .list(full)
            .map((name) => `${name}\n`)
            .join(''),
        );
      else if (files.isFile(full)) await out(`${path}\n`);
      else {
        await err(`ls: ${path}: No such file or directory\n`);
        code = 1;
      }
    }
    return code;
  },
  async mkdir({ args, files, folder, time, err }) {
    let code = 0;
    for (const path of args.filter((arg) => !arg.startsWith('-'))) {
      await time.use();
      code = await tryFile(`mkdir: can't create directory '${path}'`, err, code, () => files.makeFolder(resolvePath(folder, path)));
    }
    return code;
  },
  async printenv({ args: [name], env, out }) {
    if (name === undefined) {
      await out(listed(env));
      return 0;
    }
    const value = env.get(name);
    if (value === undefined) return 1;
    await out(`${value}\n`);
    return 0;
  },
  async pwd({ folder, out }) {
    await out(`${folder}\n`);
    return 0;
  },
  async rm({ args, files, folder, time, err }) {
    const force = args.some((arg) => /^-\w*f/.test(arg));
    let code = 0;
    for (const path of args.filter((arg) => !arg.startsWith('-'))) {
      await time.use();
      const full = resolvePath(folder, path);
      if (force && !files.isFile(full) && !files.isFolder(full)) continue;
      code = await tryFile(`rm: can't remove '${path}'`, err, code, () => files.remove(full));
    }
    return code;
  },
  async sleep({ args: [given = ''], clock, signal, err }) {
    const match = /^(\d{1,9}(?:\.\d{1,3})?)([smhd]?)$/.exec(given);
    if (given !== 'infinity' && match === null) {
      await err(`sleep: invalid number '${given}'\n`);
      return 1;
    }
    const units: ReadonlyMap<string | undefined, number> = new Map([
      ['m', 60],
      ['h', 3600],
      ['d', 86_400],
    ]);
    const ms = match === null ? maxSleep : Math.min(Number(match[1]) * (units.get(match[2]) ?? 1) * 1000, maxSleep);
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ms, () => stop());
      const stop = (): void => {
        cancel();
        signal.removeEventListener('abort', stop);
        resolve();
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop);
    });
    return signal.aborted ? 143 : 0;
  },
  async tail({ args, stdin, files, folder, out, err }) {
    const { count, paths } = lineCount(args);
    const input = await inputOf('tail', paths, { stdin, files, folder, err });
    if (input === undefined) return 1;
    const from = /^-c\+(\d+)$/.exec(args.find((arg) => arg.startsWith('-c+')) ?? '');
    if (from !== null) await out(input.subarray(Math.max(Number(from[1]) - 1, 0)));
    else await out(input.subarray(startOfLines(input, count)));
    return 0;
  },
  tar: async (process) => {
    const [mode = '', ...rest] = process.args;
    const letters = mode.replace(/^-/, '');
    if (letters.includes('c')) return createArchive(process, rest);
    if (letters.includes('x')) return extractArchive(process, rest);
    await process.err('tar: the simulation only creates and extracts\n');
    return 2;
  },
  test: (process) => testExpression(process, process.args),
  '[': async (process) => {
    if (process.args.at(-1) === ']') return testExpression(process, process.args.slice(0, -1));
    await process.err('[: missing ]\n');
    return 2;
  },
  async touch({ args, files, folder, time, err }) {
    let code = 0;
    for (const path of args) {
      await time.use();
      const full = resolvePath(folder, path);
      code = await tryFile(`touch: ${path}`, err, code, () => {
        if (!files.isFolder(full)) files.write(full, files.isFile(full) ? files.read(full) : Buffer.alloc(0));
      });
    }
    return code;
  },
  true: () => 0,
  async uname({ args, env, out }) {
    await out(args.includes('-a') ? `Linux ${env.get('HOSTNAME') ?? ''} 6.12.0-simulated x86_64 GNU/Linux\n` : 'Linux\n');
    return 0;
  },
  async whoami({ out }) {
    await out('root\n');
    return 0;
  },
};

/** The longest delay of setTimeout. */
const maxSleep = 2 ** 31 - 1;

function listed(env: ReadonlyMap<string, string>): string {
  const lines: string[] = [];
  for (const [name, value] of env) lines.push(`${name}=${value}\n`);
  return lines.join('');
}

const lineFeed = 0x0a;

/** Returns the end of the first `count` lines. */
function endOfLines(text: Buffer, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left--) {
    const end = text.indexOf(lineFeed, at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** Returns the start of the last `count` lines. */
function startOfLines(text: Buffer, count: number): number {
  let at = text.length;
  if (count === 0) return at;
  // the line feed at the end starts no line
  if (text[at - 1] === lineFeed) at--;
  for (let left = count; at > 0; at--) {
    at = text.lastIndexOf(lineFeed, at - 1) + 1;
    if (at === 0 || --left === 0) return at;
  }
  return 0;
}

/** Runs work on a file, and prints a FileError. Returns `code`, or 1 after an error. */
async function tryFile(about: string, err: Process['err'], code: number, work: () => void | Promise<void>): Promise<number> {
  try {
    await work();
    return code;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await err(`${about}: ${error.message}\n`);
    return 1;
  }
}

function lineCount(args: readonly string[]): { count: number; paths: string[] } {
  const paths: string[] = [];
  let count = 10;
  for (let at = 0, arg = args[at]; arg !== undefined; arg = args[++at]) {
    const match = /^-n?(\d{1,9})$/.exec(arg);
    if (match !== null) count = Number(match[1]);
    else if (arg === '-n') count = Number(args[++at]) || 0;
    else if (!arg.startsWith('-')) paths.push(arg);
  }
  return { count, paths };
}

async function inputOf(
  name: string,
  [path]: readonly string[],
  { stdin, files, folder, err }: Pick<Process, 'stdin' | 'files' | 'folder' | 'err'>,
): Promise<Buffer | undefined> {
  if (path === undefined) return readAll(stdin);
  let content: Buffer | undefined;
  await tryFile(`${name}: ${path}`, err, 0, () => {
    content = files.read(resolvePath(folder, path));
  });
  return content;
}

export async function readAll(stdin: Process['stdin']): Promise<Buffer> {
  const input = new Collected(maxInput);
  for await (const chunk of stdin ?? []) input.add(chunk);
  return input.bytes;
}

function testExpression(process: Process, args: readonly string[]): number {
  const from = args.findIndex((arg) => arg !== '!');
  const code = testCondition(process, from < 0 ? [] : args.slice(from));
  const isNegated = (from < 0 ? args.length : from) % 2 === 1;
  return isNegated ? 1 - code : code;
}

function testCondition({ files, folder }: Process, args: readonly string[]): number {
  const [first = '', second = '', third = ''] = args;
  const at = resolvePath(folder, second);
  if (args.length === 3) return (second === '=' || second === '==' ? first === third : second === '!=' ? first !== third : false) ? 0 : 1;
  switch (first) {
    case '-d':
      return files.isFolder(at) ? 0 : 1;
    case '-f':
      return files.isFile(at) ? 0 : 1;
    case '-e':
      return files.isFile(at) || files.isFolder(at) ? 0 : 1;
    case '-n':
      return second === '' ? 1 : 0;
    case '-z':
      return second === '' ? 0 : 1;
    default:
      return first === '' ? 1 : 0;
  }
}
