import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';
import { binaryPath, describeKubectl } from '../support/kubectl.ts';

/** A fenced block of docs/new-group.md: its language, what follows it, and the text. */
interface Block {
  readonly language: string;
  readonly note: string;
  readonly text: string;
}

async function blocks(): Promise<Block[]> {
  const text = await readFile(join(root, 'docs/new-group.md'), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: (.*))?\n([\s\S]*?)^```$/gm)].map(([, language, note = '', body]) => ({
    language,
    note,
    text: body,
  }));
}

describeKubectl('docs/new-group.md, followed to the letter', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let server: ChildProcess | undefined;
  const output: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-walk-'));
    const bin = join(folder, '.bin');
    await mkdir(bin);
    await symlink(await binaryPath('kubectl'), join(bin, 'kubectl'));
    const { KUBECONFIG: _, ...rest } = process.env;
    env = {
      ...rest,
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      KUBECONFIG: join(folder, 'kubeconfig'),
      // otherwise npm looks for updates of itself
      npm_config_update_notifier: 'false',
    };
  });
  afterAll(async () => {
    if (server !== undefined) await ended(server);
    await rm(folder, { recursive: true, force: true });
  });

  test('every block works as described', async () => {
    for (const block of await blocks()) await follow(block);
    expect(output.join('')).toContain('robot.factory.example.com/marvin created');
    expect(output.join('')).toMatch(/^NAME +ARMS +AGE\nmarvin +2 +\d+[ms]\w*$/m);
    expect(output.join('')).toMatch(/model\s+<string> -required-/);
    const types = await readFile(join(folder, 'clients/pets/zoo.example.com/v1/types.ts'), 'utf8');
    expect(types).toContain("species: 'cat' | 'dog'");
  });

  test('the test in the document passes', async () => {
    const loader = join(root, 'test/support/ts-loader.mjs');
    await run(process.execPath, ['--import', loader, '--test', 'robots.test.ts']);
  });

  async function follow({ language, note, text }: Block): Promise<void> {
    const file = /^file=(.+)$/.exec(note)?.[1];
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    } else if (language === 'sh' && note === 'background') {
      await serve(text);
    } else if (language === 'sh') {
      // the package under test instead of the published one
      const installed = text.replace('npm install kubeloom', 'mkdir -p node_modules/.bin && ./.link-kubeloom');
      await linkScript();
      output.push(await run('sh', ['-ec', installed]));
    }
  }

  async function linkScript(): Promise<void> {
    const link = join(folder, '.link-kubeloom');
    const main = 'node_modules/kubeloom/dist/runtime/cli/main.js';
    const lines = [
      '#!/bin/sh -e',
      `ln -s ${root} node_modules/kubeloom`,
      `printf '#!/bin/sh\\nexec node "${folder}/${main}" "$@"\\n' > node_modules/.bin/kubeloom`,
      'chmod +x node_modules/.bin/kubeloom',
    ];
    await writeFile(link, `${lines.join('\n')}\n`);
    await chmod(link, 0o755);
  }

  /** Resolves when the server reports that it is serving. */
  function serve(command: string): Promise<void> {
    const child = spawn('sh', ['-ec', `exec ${command}`], { cwd: folder, env, detached: true });
    server = child;
    return new Promise((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk;
        if (said.includes('Try next')) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${said}`)));
    });
  }

  function run(command: string, args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      const hear = (chunk: Buffer): void => {
        said += chunk;
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`${args.at(-1)}\n${said}`))));
    });
  }
});

/** Ends the process group, since npx runs between the shell and the server. */
async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid as number), 'SIGTERM');
  await gone;
}
