import { spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emitAll } from '../../codegen/emit/index.ts';
import { readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { listFiles } from '../../codegen/load/files.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { root, temporaryFolder } from '../support/generated-project.ts';
import { randomDocument } from './random-document.ts';

/** The number of documents. */
const rounds = Number(process.env.ROUNDS ?? 3);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** The house format as arguments: git ignores the temporary folder, so this project's configuration does not apply. */
const formatArguments = [
  '--indent-style=space',
  '--indent-width=2',
  '--line-width=140',
  '--javascript-formatter-quote-style=single',
  '--files-max-size=50000000',
  '--vcs-enabled=false',
  '--log-level=error',
];

function formatWithBiome(folder: string): void {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const { status, stderr } = spawnSync(process.execPath, [biome, 'format', '--write', ...formatArguments, '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

describe(`what is generated, SEED=${seed}`, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const generated = (): string => join(folder.path, 'generated');

  beforeAll(async () => {
    folder = await temporaryFolder('house-format');
    await mkdir(generated());
    for (let number = 0; number < rounds; number++) {
      const [{ document }] = fc.sample(randomDocument(number), { seed: seed + number, numRuns: 1 });
      const name = `d${number}`;
      const file = join(folder.path, `${name}.json`);
      await writeFile(file, JSON.stringify(document, null, 1));
      const out = join(folder.path, 'schemas', name);
      await writeSchemas(normaliseSource(await readOpenApiFile(file), name), out);
      await emitAll(await loadModel(out), { out: generated(), schemas: out });
    }
    const library = join(root, 'schemas/examples/library');
    await emitAll(await loadModel(library, { overlays: join(library, 'overlays') }), {
      out: generated(),
      schemas: library,
    });
  });
  afterAll(() => folder.remove());

  test('has the format that biome gives it', async () => {
    const biomes = join(folder.path, 'biome');
    const files = (await listFiles(generated(), '.ts')).filter((file) => file.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10 * rounds);
    for (const file of files) await cp(join(generated(), file), join(biomes, file));
    formatWithBiome(biomes);
    const different: string[] = [];
    for (const file of files) {
      const [ours, theirs] = await Promise.all([generated(), biomes].map((each) => readFile(join(each, file), 'utf8')));
      if (ours !== theirs) different.push(file, firstDifference(ours, theirs));
    }
    expect(different).toEqual([]);
  });
});

function firstDifference(ours: string, theirs: string): string {
  const [lines, others] = [ours.split('\n'), theirs.split('\n')];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return `${lines.slice(at, at + 4).join('\n')}\ninstead of\n${others.slice(at, at + 4).join('\n')}`;
}
