import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeYaml } from '../../codec/yaml.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { readStage, type Stage, StageError } from './stage.ts';

/**
 * Reads Stages from YAML files, and from all such files in folders. Skips other objects.
 *
 * @throws StageError
 */
export async function stagesOfFiles(paths: readonly string[]): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const path of (await Promise.all(paths.map(filesIn))).flat()) {
    const text = await read(path, () => readFile(path, 'utf8'));
    for (const document of text.split(/^---(?:\s.*)?$/m)) {
      const object = await read(path, async () => decodeYaml(Buffer.from(document)));
      if (!isJsonObject(object) || object.kind !== 'Stage') continue;
      stages.push(await read(path, async () => readStage({ metadata: {}, ...object } as KubeObject)));
    }
  }
  return stages;
}

async function filesIn(path: string): Promise<string[]> {
  const isFolder = await read(path, async () => (await stat(path)).isDirectory());
  if (!isFolder) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

async function read<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new StageError(`${path}: ${messageOf(error)}`, { cause: error });
  }
}
