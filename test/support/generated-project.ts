import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Creates a folder inside the project, where generated code finds its packages. The caller removes it. */
export async function temporaryFolder(name: string): Promise<{ path: string; remove(): Promise<void> }> {
  const parent = join(root, '.cache');
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, `${name}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Compiles TypeScript files with the project's options. Returns the compiler's errors; "" without errors.
 *
 * @param folder the place of the temporary configuration
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
