import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../load/files.ts';
import { commentsIn } from './comments.ts';
import { Texts } from './texts.ts';

/** Prefixes of schema names for the types of a file, where they are not `io.k8s.api.<file>`. */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [/^(?:api|runtime|version)\b/, 'io.k8s.apimachinery.pkg.'],
  [/^meta\b/, 'io.k8s.apimachinery.pkg.apis.'],
  [/^apiextensions\b/, 'io.k8s.apiextensions-apiserver.pkg.apis.'],
  [/^apiregistration\b/, 'io.k8s.kube-aggregator.pkg.apis.'],
];

/** Reads the descriptions of schemas from the declarations of kubernetes-types. */
export async function readKubernetesTypes(folder: string): Promise<Texts> {
  const texts = new Texts();
  for (const file of await listFiles(folder, '.d.ts')) {
    const path = file.slice(0, -'.d.ts'.length).replaceAll('/', '.');
    const prefix = prefixes.find(([pattern]) => pattern.test(path))?.[1] ?? 'io.k8s.api.';
    for (const { scope, name, text } of commentsIn(await readFile(join(folder, file), 'utf8'))) {
      const [type] = scope;
      if (type === undefined) texts.add(`${prefix}${path}.${name}`, '', text);
      else texts.add(`${prefix}${path}.${type}`, name, text);
    }
  }
  return texts;
}
