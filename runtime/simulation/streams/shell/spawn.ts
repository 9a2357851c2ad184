import { resolvePath } from '../container-files.ts';
import { readAll } from './commands/support.ts';
import { commandNames, commandOf } from './commands/table.ts';
import type { Process } from './process.ts';
import { Shell } from './shell.ts';
import { runInteractively } from './terminal.ts';

export const isShell = (name: string): boolean => /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|ash|dash)$/.test(name);

/** Returns the names of all programs. */
export const shellPrograms = (): readonly string[] => [...commandNames(), 'ash', 'bash', 'dash', 'sh'];

/** Whether a command is in every image. */
export const isKnown = (name: string): boolean => isShell(name) || commandOf(name) !== undefined;

/** Runs `sh -c SCRIPT`, a script in a file, or one from the standard input. */
export async function runShell(process: Process, name = 'sh'): Promise<number> {
  const { files, folder } = process;
  let at = 0;
  let isText = false;
  const options: string[] = [];
  for (; /^[-+]./.test(process.args[at] ?? ''); at++) {
    const arg = process.args[at] ?? '';
    if (arg === '--') {
      at++;
      break;
    }
    if (arg === '--login' || arg === '--norc' || arg === '--noprofile') continue;
    isText ||= arg.includes('c');
    options.push(arg, ...(arg.endsWith('o') ? [process.args[++at] ?? ''] : []));
  }
  const [first, ...rest] = process.args.slice(at);
  const settings = { exitOnError: false, isStrict: false, isTraced: false };
  for (const option of options) {
    if (option.startsWith('-')) {
      settings.exitOnError ||= option.includes('e');
      settings.isStrict ||= option.includes('u');
      settings.isTraced ||= option.includes('x');
    }
  }
  if (isText) return runScript(process, first ?? '', { name: rest[0] ?? baseName(name), positional: rest.slice(1), options: settings });
  if (first === undefined && isInteractive(process, options)) return runInteractively(process);
  if (first === undefined) return runScript(process, (await readAll(process)).toString(), { name: baseName(name), options: settings });
  const path = resolvePath(folder, first);
  if (!files.isFile(path)) {
    await process.err(`${baseName(name)}: can't open '${first}': No such file or directory\n`);
    return 2;
  }
  return runScript(process, files.read(path).toString(), { name: first, positional: rest, options: settings });
}

async function runScript(process: Process, script: string, state: ConstructorParameters<typeof Shell>[1]): Promise<number> {
  const shell = new Shell(process, state);
  const { code } = await shell.run(script);
  return shell.end(code);
}

/** Reports whether a shell without a script reads line by line. */
const isInteractive = ({ hasTerminal = false }: Process, options: readonly string[]): boolean =>
  hasTerminal || options.some((option) => option.startsWith('-') && option.includes('i'));

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The first bytes of a script: `#!/bin/sh`. */
const interpreter = /^#! ?\/(?:usr\/)?bin\/(?:env )?(\w+)/;

/**
 * Runs a shell, a known command, or a script in the container's files.
 *
 * @param shell the name of the shell that reports a missing command; undefined for other programs
 */
export async function runCommand(name: string, process: Process, shell?: string): Promise<number> {
  if (isShell(name)) return runShell(process, name);
  const command = commandOf(name);
  if (command !== undefined) return command(process);
  const path = name.includes('/') ? resolvePath(process.folder, name) : undefined;
  const node = path === undefined ? undefined : process.files.stat(path);
  if (path !== undefined && node?.kind === 'file') {
    const text = process.files.read(path).toString('utf8', 0, 64 * 1024);
    const [, program = 'sh'] = interpreter.exec(text) ?? [];
    if ((node.mode & 0o111) !== 0 && isShell(program)) return runShell({ ...process, args: [path, ...process.args] }, program);
    await process.err(`${shell ?? 'sh'}: ${name}: Permission denied\n`);
    return 126;
  }
  await process.err(missing(name, shell));
  return 127;
}

function missing(name: string, shell = 'sh'): string {
  return /(?:^|\/)bash$/.test(shell) ? `${shell}: line 1: ${name}: command not found\n` : `${shell}: ${name}: not found\n`;
}
