import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a process. It is bundled for tests, because the build may be older than the sources. */
export class KubeloomCommand {
  readonly #folder: string;
  /** The path of the script. */
  readonly main: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.main = join(folder, 'main.mjs');
  }

  static async make(): Promise<KubeloomCommand> {
    // inside the project, where it finds its packages
    const folder = await mkdtemp(join(root, 'node_modules', '.cache-cli-'));
    await build({
      absWorkingDir: root,
      entryPoints: ['runtime/cli/main.ts'],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
    return new KubeloomCommand(folder);
  }

  readonly run = (...args: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      const options = { cwd: tmpdir(), maxBuffer: 2 ** 26 };
      const child = execFile(process.execPath, [this.main, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}
