import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How often this process looks whether npm is there, in milliseconds. */
const intervalMs = 500;

/** `npm exec`, `npx`, and what runs them before they have given themselves a title. */
const npm = /^(\S*[\\/])?(node(\.exe)?\s+)?(\S*[\\/])?np[mx](-cli\.js)?(\s|$)/;

/** A command line that is this command, however the shell quotes it, and none that only leads to it. */
const ownCommand = /^\s*(\S*[\\/])?kubeloom(\s|$)/;

interface Process {
  readonly parent: number;
  readonly command: string;
}

/**
 * Resolves when the `npm exec` or `npx` that started this process is gone, or its terminal. Undefined if nothing such did: then
 * this process may outlive its parent.
 *
 * npm starts a shell that starts this process. A signal for npm ends only the shell, or npm alone, depending on the signal,
 * and never reaches this process.
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

/** Says whether npm is still there. Undefined if neither the parent nor its parent is npm, but something that npm started. */
function findNpm(parent: number): (() => boolean) | undefined {
  const isParent = (): boolean => process.ppid === parent;
  // processes have no new parent there
  if (process.platform === 'win32') return () => isAlive(parent);
  const shell = processOf(parent);
  if (shell === undefined) return undefined;
  if (npm.test(shell.command)) return isParent;
  const above = processOf(shell.parent);
  if (above === undefined || !npm.test(above.command)) return undefined;
  // where /proc does not say it at once, a look would start a process each time
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

/** Reads /proc. Undefined if the process is gone. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // behind the name, which may have spaces and parentheses, and the state
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
