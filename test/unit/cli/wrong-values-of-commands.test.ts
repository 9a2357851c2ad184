import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { generateCommand } from '../../../codegen/commands/generate.ts';
import { importCommand } from '../../../codegen/commands/import.ts';
import { diff } from '../../../runtime/cli/diff.ts';
import { envtestAssets } from '../../../runtime/cli/envtest/envtest-assets.ts';
import { generatorServices } from '../../../runtime/cli/generator-services.ts';
import { history } from '../../../runtime/cli/history.ts';
import { kubeconfig } from '../../../runtime/cli/kubeconfig.ts';
import { replay } from '../../../runtime/cli/replay.ts';
import { snapshot } from '../../../runtime/cli/snapshot/snapshot.ts';
import { store } from '../../../runtime/cli/store/store.ts';

/* The flags of all commands except serve, from --help, with wrong values and misspelled names. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-flags-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

type Command = (args: readonly string[]) => Promise<unknown>;

/** Each command with its required arguments. */
const commands: readonly (readonly [name: string, run: Command, ...given: string[]])[] = [
  ['history', history, 'pods/a'],
  ['diff', diff],
  ['replay', replay, 'FOLDER/recording'],
  ['kubeconfig', kubeconfig, '--cert-dir=FOLDER/none'],
  ['snapshot save', snapshot, 'FOLDER/file'],
  ['snapshot load', snapshot, 'FOLDER/file'],
  ['store backup', store, '--data-dir=FOLDER/none', 'FOLDER/file'],
  ['store restore', store, '--data-dir=FOLDER/none', 'FOLDER/file'],
  ['store migrate', store, '--data-dir=FOLDER/none', '--etcd-servers=http://127.0.0.1:1'],
  ['store check', store, '--data-dir=FOLDER/none'],
  ['store dump', store, '--data-dir=FOLDER/none'],
  ['store compact', store, '--data-dir=FOLDER/none'],
  ['envtest-assets', envtestAssets],
  ['generate', (args) => generateCommand(args, generatorServices)],
  ['import', (args) => importCommand(args, generatorServices.suggest)],
];

/** Values that are wrong for a kind of flag, by its placeholder. */
const wrongOf: Readonly<Record<string, readonly string[]>> = {
  N: ['-1', 'x', '', '1.5', '99999999999999999'],
  REVISION: ['0', '-1', 'now', '', '1.5'],
  'REVISION|TIME': ['yesterday', '', '-', '25:00'],
  'NUMBER|max': ['0', '-1', 'fast', 'NaN', 'Infinity'],
  URL: ['!', ''],
};

interface Output {
  readonly stdout: string;
  readonly error: string;
}

async function run([name, command, ...given]: (typeof commands)[number], ...args: string[]): Promise<Output> {
  let stdout = '';
  let error = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    error += String(text);
    return true;
  });
  const subcommand = name.split(' ').slice(1);
  try {
    await command([...subcommand, ...given.map((arg) => arg.replace('FOLDER', folder)), ...args]);
  } catch (thrown) {
    error += (thrown as Error).message;
  }
  jest.restoreAllMocks();
  return { stdout, error };
}

interface DescribedFlag {
  readonly name: string;
  /** Undefined for booleans. */
  readonly value: string | undefined;
}

async function flagsOf(command: (typeof commands)[number]): Promise<DescribedFlag[]> {
  const { stdout } = await run(command, '--help');
  return [...stdout.matchAll(/^ +--([a-z-]+)(?:=| )?(\S*)/gm)].map(([, name, value]) => ({
    name,
    value: value || undefined,
  }));
}

test.each(commands.map((command) => [command[0], command] as const))('%s: flags refuse wrong values', async (_, command) => {
  for (const { name, value } of await flagsOf(command)) {
    const isOneOf = value !== undefined && /^[a-z0-9]+(\|[a-z0-9]+)+$/.test(value);
    for (const wrong of isOneOf ? ['some'] : (wrongOf[value ?? ''] ?? [])) {
      const { error } = await run(command, `--${name}=${wrong}`);
      expect(error).toContain(`invalid argument ${JSON.stringify(wrong)} for --${name}: `);
      expect(error.trim()).not.toContain('\n');
    }
  }
});

test.each(commands.map((command) => [command[0], command] as const))(
  '%s: misspelt flags are refused, and the intended one suggested',
  async (_, command) => {
    for (const { name } of await flagsOf(command)) {
      const misspelt = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
      if (misspelt === name) continue;
      const { error } = await run(command, `--${misspelt}=x`);
      expect(error).toContain(`--${misspelt}`);
      expect(error).toContain(`did you mean --${name}?`);
    }
  },
);
