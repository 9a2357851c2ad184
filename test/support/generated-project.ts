import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder inside the project, in which generated code finds the packages it imports. The caller removes it. */
export async function temporaryFolder(name: string): Promise<{ path: string; remove(): Promise<void> }> {
  const parent = join(root, '.cache');
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, `${name}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * The errors of the compiler for the TypeScript that some patterns match, with the project's options; "" if it compiles.
 *
 * @param folder gets the configuration
 */
export async function compile(folder: string, include: readonly string[] = [folder]): Promise<string> {
  const config = { extends: join(root, 'tsconfig.json'), include };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/tsc7/bin/tsc');
  const { code, output } = await run([compiler, '-p', folder, '--noEmit', '--pretty', 'false']);
  return code === 0 ? '' : output.slice(0, 5000) || `tsc exited with ${code}`;
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
