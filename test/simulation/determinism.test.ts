import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/generated-project.ts';
import { runScenario, type Traces } from './determinism/scenario.ts';

const seed = 20_260_101;

describe(`a server with the seed ${seed}`, () => {
  let folder = '';
  let first: Traces;
  let other: Promise<Traces>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-determinism-'));
    other = inAnotherProcess();
    other.catch(() => undefined);
    first = await runScenario(seed, await emptyFolder('first'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const emptyFolder = async (name: string): Promise<string> => {
    await mkdir(join(folder, name));
    return join(folder, name);
  };

  const inAnotherProcess = async (): Promise<Traces> => {
    const file = join(folder, 'traces.json');
    const loader = join(root, 'test/support/ts-loader.mjs');
    const program = join(root, 'test/simulation/determinism/process.ts');
    await promisify(execFile)(process.execPath, ['--import', loader, program, String(seed), file]);
    return JSON.parse(await readFile(file, 'utf8'));
  };

  test('has done something', () => {
    expect(first.dump.length).toBeGreaterThan(250);
    expect(first.audit.length).toBeGreaterThan(300);
    expect(first.watch.length).toBeGreaterThan(100);
    expect(first.responses.filter((text) => / 20[01] /.test(text)).length).toBeGreaterThan(60);
  });

  test('leaves the same bytes behind when the same is done twice in one process', async () => {
    expect(differences(await runScenario(seed, await emptyFolder('second')), first)).toEqual([]);
  });

  test('leaves the same bytes behind in another process', async () => {
    expect(differences(await other, first)).toEqual([]);
  });
});

/** Returns the first differing line of each trace with the expected one. */
function differences(traces: Traces, wanted: Traces): string[] {
  return (Object.keys(wanted) as (keyof Traces)[]).flatMap((name) => {
    const [lines, others] = [traces[name], wanted[name]];
    const at = Array.from({ length: Math.max(lines.length, others.length) }).findIndex((_, i) => lines[i] !== others[i]);
    return at < 0 ? [] : [`${name}: ${lines[at]}\nis not\n${others[at]}`];
  });
}
