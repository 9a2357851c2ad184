import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The output and the result of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** An empty npm project outside this checkout. */
export class Project {
  readonly folder: string;
  readonly #path: string;

  private constructor(folder: string, nodeFolder: string) {
    this.folder = folder;
    this.#path = [nodeFolder, process.env.PATH].join(delimiter);
  }

  /** @param node the executable for all commands in the project */
  static async make(name: string, manifest: object = {}, node = process.execPath): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), `kubeloom-${name}-`)), dirname(node));
    await project.write({ 'package.json': JSON.stringify({ private: true, ...manifest }) });
    return project;
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, file)), { recursive: true });
      await writeFile(join(this.folder, file), text);
    }
  }

  /** Installs packages. Fails if one needs a compiler. */
  async install(packages: readonly string[], ...flags: string[]): Promise<void> {
    const { code, output } = await this.run('npm', 'install', '--no-audit', '--no-fund', ...flags, ...packages);
    if (code !== 0) throw new Error(`npm install ${packages.join(' ')}:\n${output}`);
  }

  run(command: string, ...args: string[]): Promise<Outcome> {
    const env = { ...process.env, PATH: this.#path, CC: 'false', CXX: 'false', npm_config_update_notifier: 'false' };
    const child = spawn(command, args, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
