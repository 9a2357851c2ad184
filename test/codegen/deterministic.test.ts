import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { listFiles } from '../../codegen/load/files.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { root, temporaryFolder } from '../support/generated-project.ts';

const schemas = join(root, 'schemas/kubernetes/v1.35');
const testing = join(root, 'schemas/testing');
const committed = join(root, 'generated');

/**
 * Generates into `<place>/generated`, with the runtime beside the committed files. Returns the number of changed files.
 */
async function generate(place: string): Promise<number> {
  const out = { out: join(place, 'generated'), runtimeImport: join(place, 'runtime') };
  const model = await loadModel(schemas, { overlays: join(root, 'schemas/overlays') });
  const kubernetes = await emitAll(model, { ...out, schemas });
  return kubernetes + (await emitAll(await loadModel(testing, { overlays: join(testing, 'overlays') }), { ...out, schemas: testing }));
}

describe('the generator', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder('deterministic');
  });
  afterAll(() => folder.remove());

  test('writes what is committed', async () => {
    await generate(folder.path);
    const fresh = await listFiles(join(folder.path, 'generated'), '');
    expect(fresh).toEqual(await listFiles(committed, ''));
    const different: string[] = [];
    for (const file of fresh) {
      const [one, other] = await Promise.all([readFile(join(folder.path, 'generated', file)), readFile(join(committed, file))]);
      if (!one.equals(other)) different.push(file);
    }
    expect(different).toEqual([]);
  });

  test('changes nothing when it runs again, not even files of others', async () => {
    const generated = join(folder.path, 'generated/v1.35');
    await cp(join(generated, 'core/v1/types.ts'), join(generated, 'core/v1/extra.ts'));
    expect(await generate(folder.path)).toBe(0);
    expect(await listFiles(generated, 'extra.ts')).toEqual(['core/v1/extra.ts']);
  });
});
