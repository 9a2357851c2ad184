import { FileError, resolvePath } from '../../container-files.ts';
import { Collected } from '../collected.ts';
import type { Process } from '../process.ts';

/* What commands share. */

/** The most bytes that a command reads. */
const maxInput = 16 * 1024 * 1024;

export async function readAll({ stdin, time }: Pick<Process, 'stdin' | 'time'>): Promise<Buffer> {
  const input = new Collected(maxInput);
  for await (const chunk of stdin.chunks(time)) input.add(chunk);
  return input.bytes;
}

/** Runs work on a file, and prints a FileError. Returns `code`, or 1 after an error. */
export async function tryFile(about: string, err: Process['err'], code: number, work: () => void | Promise<void>): Promise<number> {
  try {
    await work();
    return code;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    await err(`${about}: ${error.message}\n`);
    return 1;
  }
}

/** Returns the content of the file, or of the standard input for `-` and undefined. Prints an error. */
export async function contentOf(process: Process, name: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined || path === '-' || path === '/dev/stdin') return readAll(process);
  if (path === '/dev/null') return Buffer.alloc(0);
  let content: Buffer | undefined;
  await tryFile(`${name}: ${path}`, process.err, 0, () => {
    content = Buffer.from(process.files.read(resolvePath(process.folder, path)));
  });
  return content;
}

/** Returns the contents of all files, or of the standard input, and the code 1 if one is missing. */
export async function contentsOf(
  process: Process,
  name: string,
  paths: readonly string[],
): Promise<{ readonly content: Buffer; readonly code: number }> {
  const input = new Collected(maxInput);
  let code = 0;
  for (const path of paths.length > 0 ? paths : [undefined]) {
    const content = await contentOf(process, name, path);
    if (content === undefined) code = 1;
    else input.add(content);
  }
  return { content: input.bytes, code };
}

/** The lines of a text, without their ends. */
export function linesOf(content: Buffer): string[] {
  const text = content.toString();
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

export interface Arguments {
  readonly flags: ReadonlySet<string>;
  /** The values of options, by letter or long name. */
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/**
 * Reads options as getopt does.
 *
 * @param withValue the letters of options that have a value
 */
export function argumentsOf(args: readonly string[], withValue = ''): Arguments {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--')) {
      const [name = '', ...value] = arg.slice(2).split('=');
      flags.add(name);
      if (value.length > 0) values.set(name, value.join('='));
    } else if (!/^-./.test(arg)) operands.push(arg);
    else {
      for (let letter = 1; letter < arg.length; letter++) {
        const name = arg.charAt(letter);
        flags.add(name);
        if (!withValue.includes(name)) continue;
        values.set(name, letter + 1 < arg.length ? arg.slice(letter + 1) : (args[++at] ?? ''));
        break;
      }
    }
  }
  return { flags, values, operands };
}
