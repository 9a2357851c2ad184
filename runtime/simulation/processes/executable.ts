import { access, constants, stat } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import type { Container } from '../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import { expandedWords } from '../environment/container-environment.ts';
import { StartError } from '../programs/container-processes.ts';
import type { MappedProgram } from './program-table.ts';

/** The path of a program, and its arguments. */
export interface Executable {
  readonly file: string;
  readonly args: readonly string[];
  /** The folder in which it must run, if any. */
  readonly cwd?: string;
}

const runc = 'OCI runtime create failed: runc create failed: unable to start container process: error during container init: ';

/**
 * Returns what a container starts. The program stands for the first word of its command.
 *
 * @throws StartError
 */
export async function containerExecutable(
  program: MappedProgram,
  { command = [], args = [] }: Container,
  variables: ReadonlyMap<string, string>,
): Promise<Executable> {
  const [name = '', ...first] = program.command;
  const words = expandedWords([...command.slice(1), ...args, ...(program.args ?? [])], variables);
  return { file: await pathOf(name, program.cwd, runc), args: [...first, ...words], cwd: program.cwd };
}

/**
 * Returns what a command of a client starts: the container's own program, or one of the tools of its image.
 *
 * @throws StartError
 */
export async function clientExecutable(
  program: MappedProgram,
  { command: own = [] }: Container,
  command: readonly string[],
): Promise<Executable> {
  const [name = '', ...args] = command;
  const [file = '', ...first] = program.command;
  if (name !== '' && (name === own[0] || name === file || name === basename(file))) {
    return { file: await pathOf(file, program.cwd, exec), args: [...first, ...args], cwd: program.cwd };
  }
  const { tools = [] } = program;
  if (tools.includes('*') && name !== '') return { file: await pathOf(name, program.cwd, exec), args };
  // /bin/sh is the tool sh, wherever this machine has it
  const tool = tools.find((one) => one === name || (name.startsWith('/') && one === basename(name)));
  if (tool === undefined) throw notFound(name, exec);
  return { file: await pathOf(tool, program.cwd, exec), args };
}

const exec = 'failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ';

/** Returns the path of a program. Clients do not choose where it is searched. */
async function pathOf(name: string, folder: string, about: string): Promise<string> {
  if (/[/\\]/.test(name)) {
    const path = resolve(folder, name);
    if (await isExecutable(path)) return path;
    const why = await stat(path).then(
      () => `fork/exec ${name}: permission denied`,
      () => `stat ${name}: no such file or directory`,
    );
    throw new StartError(`${about}exec: ${quote(name)}: ${why}`);
  }
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(place, name);
    if (place !== '' && (await isExecutable(path))) return path;
  }
  throw notFound(name, about);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

const notFound = (name: string, about: string): StartError =>
  new StartError(`${about}exec: ${quote(name)}: executable file not found in $PATH`);
