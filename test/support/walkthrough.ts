import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { blocksOf, fileOf } from './document-blocks.ts';
import { root } from './generated-project.ts';
import { binaryPath } from './kubectl-binary.ts';

/**
 * Follows a document literally in an empty folder. Blocks with `file=` are written, and `sh` blocks are run. Blocks
 * with `background` are servers, and blocks with `fails` must fail. The packages are those of this built checkout, or
 * are installed with a packed one.
 */
export class Walkthrough {
  /** The folder of the walkthrough. */
  readonly folder: string;
  readonly #document: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #servers: ChildProcess[] = [];
  /** The packed package to install. */
  readonly #tarball?: string;
  /** The output of the servers. */
  #log = '';

  private constructor(document: string, folder: string, tarball?: string) {
    this.#document = document;
    this.#tarball = tarball;
    this.folder = folder;
    const { KUBECONFIG: _, ...rest } = process.env;
    this.#env = {
      ...rest,
      PATH: `${join(folder, '.bin')}:${process.env.PATH}`,
      HOME: folder,
      KUBECONFIG: join(folder, 'kubeconfig'),
      // stops npm's search for its own updates
      npm_config_update_notifier: 'false',
    };
  }

  /**
   * @param document relative to the root of the project
   * @param tarball the package to install in place of the published one. Default: this checkout is linked
   */
  static async open(document: string, tarball?: string): Promise<Walkthrough> {
    const folder = await mkdtemp(join(tmpdir(), 'kubeloom-walk-'));
    await mkdir(join(folder, '.bin'));
    await symlink(await binaryPath('kubectl'), join(folder, '.bin/kubectl'));
    const walkthrough = new Walkthrough(document, folder, tarball);
    await walkthrough.#writeLinkScript();
    return walkthrough;
  }

  /**
   * Follows all blocks. Returns the output of the commands.
   *
   * @param adapt changes the text of each block, such as its fixed ports
   */
  async follow(adapt: (text: string) => string = (text) => text): Promise<string> {
    let output = '';
    for (const block of await blocksOf(this.#document)) {
      const { language, note, text } = block;
      const adapted = adapt(text);
      const file = fileOf(block);
      if (file !== undefined) await this.write(file, adapted);
      else if (language === 'sh' && note === 'background') await this.serve(adapted);
      else if (language === 'sh' && note === 'fails') output += await this.#failing(adapted);
      // installs the tested package in place of the published one
      else if (language === 'sh') output += await this.run('sh', ['-ec', this.#installed(adapted)]);
    }
    return output;
  }

  /**
   * Runs a command in the folder and returns its output. @throws Error with its output and the servers', if it fails
   */
  run(command: string, args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: this.folder, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk;
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`${args.at(-1)}\n${said}\n${this.#log}`))));
    });
  }

  /** Returns the output of a command that must fail. */
  async #failing(command: string): Promise<string> {
    const failure = await this.run('sh', ['-ec', this.#installed(command)]).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (failure === undefined) throw new Error(`${command} does not fail`);
    return failure;
  }

  /** Stops the servers and removes the folder. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map(ended));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Replaces the published package by the tested one. */
  #installed(text: string): string {
    if (this.#tarball === undefined) return text.replace(install, link);
    return text.replace(/^(npm install )kubeloom\b/m, `$1--no-audit --no-fund '${this.#tarball}'`);
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, file)), { recursive: true });
    await writeFile(join(this.folder, file), text);
  }

  async #writeLinkScript(): Promise<void> {
    const script = join(this.folder, '.link-kubeloom');
    const main = 'node_modules/kubeloom/dist/runtime/cli/main.js';
    const lines = [
      '#!/bin/sh -e',
      `ln -s ${root} node_modules/kubeloom`,
      `printf '#!/bin/sh\\nexec node "${this.folder}/${main}" "$@"\\n' > node_modules/.bin/kubeloom`,
      'chmod +x node_modules/.bin/kubeloom',
    ];
    await writeFile(script, `${lines.join('\n')}\n`);
    await chmod(script, 0o755);
  }

  /** Resolves when the server reports that it serves. */
  serve(command: string): Promise<void> {
    const child = spawn('sh', ['-ec', `exec ${command}`], { cwd: this.folder, env: this.#env, detached: true });
    this.#servers.push(child);
    return new Promise((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk;
        this.#log += chunk;
        if (said.includes('Try next')) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${said}`)));
    });
  }
}

const install = /^npm install kubeloom.*$/m;
const link = 'mkdir -p node_modules/.bin && ./.link-kubeloom';

/** Ends the process group, because npx runs between the shell and the server. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid as number), 'SIGTERM');
  await gone;
}
