import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isAlive } from './parent-end.ts';

/** Milliseconds between two checks whether npm still runs. */
const intervalMs = 500;

/** Matches `npm exec`, `npx`, and their command lines before they have set a process title. */
const npm = /^(\S*[\\/])?(node(\.exe)?\s+)?(\S*[\\/])?np[mx](-cli\.js)?(\s|$)/;

/** Matches a command line of this command in any shell quoting, but no command line that only leads to it. */
const ownCommand = /^\s*(\S*[\\/])?kubeloom(\s|$)/;

interface Process {
  readonly parent: number;
  readonly command: string;
}

/**
 * Resolves when the `npm exec` or `npx` that started this process has ended, or its terminal has. Undefined if neither
 * started this process, which may then outlive its parent.
 *
 * npm starts a shell that starts this process. A signal to npm ends only the shell or only npm, depending on the
 * signal, and never reaches this process.
 */
export function endOfNpmExec(env: NodeJS.ProcessEnv = process.env): Promise<void> | undefined {
  if (env.npm_command !== 'exec' || env.npm_lifecycle_event !== 'npx') return undefined;
  if (!ownCommand.test((env.npm_lifecycle_script ?? '').replace(/[\^'"]/g, ''))) return undefined;
  const isThere = findNpm(process.ppid);
  if (isThere === undefined) return undefined;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isThere()) return;
      clearInterval(timer);
      resolve();
    }, intervalMs);
    timer.unref();
    process.on('SIGHUP', () => resolve());
  });
}

/** Returns a function that reports whether npm still runs. Undefined if neither the parent nor its parent is npm. */
function findNpm(parent: number): (() => boolean) | undefined {
  const isParent = (): boolean => process.ppid === parent;
  // on Windows, processes never get a new parent
  if (process.platform === 'win32') return () => isAlive(parent);
  const shell = processOf(parent);
  if (shell === undefined) return undefined;
  if (npm.test(shell.command)) return isParent;
  const above = processOf(shell.parent);
  if (above === undefined || !npm.test(above.command)) return undefined;
  // without /proc, each check of the shell would start a process
  if (process.platform !== 'linux') return () => isParent() && isAlive(shell.parent);
  return () => isParent() && parentOf(parent) === shell.parent;
}

function processOf(pid: number): Process | undefined {
  try {
    if (process.platform === 'linux') {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const parent = parentOf(pid);
      return parent === undefined ? undefined : { parent, command };
    }
    const text = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const at = text.indexOf(' ');
    return { parent: Number(text.slice(0, at)), command: text.slice(at).trim() };
  } catch {
    return undefined;
  }
}

/** Reads the parent's id from /proc. Undefined if the process has ended. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the parent's id follows the name, which may have spaces and parentheses, and the state
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
