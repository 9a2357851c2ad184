import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emitAll } from '../../codegen/emit/index.ts';
import { listFiles } from '../../codegen/load/files.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import type { ApiGroup } from '../../runtime/machinery/api-group.ts';
import { root, temporaryFolder } from './generated-project.ts';

const schemas = join(root, 'schemas/examples/library');
const cache = join(root, '.cache');
const prefix = 'library-of-';
const aDay = 24 * 3600 * 1000;

/**
 * The example group of schemas/examples, as the generator of this checkout writes it. The output is cached under a hash
 * of its inputs, so that the files of one run share it, in any number of processes.
 */
export async function libraryGroup(): Promise<ApiGroup> {
  const place = join(cache, `${prefix}${await hashOfInputs()}`);
  if (!(await exists(place))) await generate(place);
  return ((await import(pathToFileURL(join(place, 'library/index.ts')).href)) as { default: ApiGroup }).default;
}

async function generate(place: string): Promise<void> {
  const folder = await temporaryFolder('library');
  const model = await loadModel(schemas, { overlays: join(schemas, 'overlays') });
  await emitAll(model, { out: folder.path, schemas });
  // another process was faster, and wrote the same
  await rename(folder.path, place).catch(() => rm(folder.path, { recursive: true, force: true }));
  await forgetOld();
}

/** Removes outputs of earlier days. */
async function forgetOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    if (!name.startsWith(prefix) || Date.now() - (await stat(path)).mtimeMs < aDay) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const [folder, ending] of [
    [join(root, 'codegen'), '.ts'],
    [schemas, ''],
  ] as const) {
    for (const file of await listFiles(folder, ending)) hash.update(file).update(await readFile(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
