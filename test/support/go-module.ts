import { execFile } from 'node:child_process';
import { chmod, cp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the folder of a module in Go's cache, which is read-only. It is downloaded if it is missing. */
export async function moduleFolder(module: string, version: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: tmpdir() });
  return JSON.parse(stdout).Dir;
}

/**
 * Copies a module, or folders of it, to a place where files can be written. Scripts and plugins of kubectl become executable,
 * which the archive of a module does not say.
 */
export async function copyModule(from: string, to: string, folders: readonly string[] = ['.']): Promise<void> {
  for (const folder of folders) await cp(join(from, folder), join(to, folder), { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || /\.sh$|^kubectl-/.test(entry.name)) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode | 0o600);
  }
}
