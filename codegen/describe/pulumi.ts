import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../load/files.ts';
import { commentsIn } from './comments.ts';
import { Texts } from './texts.ts';

/** Prefixes of schema names before the version, where they are not `io.k8s.api.<group>`. */
const prefixes: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis.meta',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
};

/** Reads the descriptions of schemas from the declarations of @pulumi/kubernetes. */
export async function readPulumi(folder: string): Promise<Texts> {
  const texts = new Texts();
  for (const { scope, name, text } of commentsIn(await readFile(join(folder, 'types/input.d.ts'), 'utf8'))) {
    const [group = '', version, type] = scope;
    if (version !== undefined && type !== undefined) texts.add(schemaName(group, version, type), fieldName(name), plain(text));
    else if (version !== undefined) texts.add(schemaName(group, version, name), '', plain(text));
  }
  for (const file of await listFiles(folder, 'List.d.ts')) {
    const [group = '', version = ''] = file.split('/');
    for (const { scope, name, text } of commentsIn(await readFile(join(folder, file), 'utf8'))) {
      const [type = ''] = scope;
      if (type.endsWith('ListArgs')) texts.add(schemaName(group, version, type.slice(0, -'Args'.length)), name, plain(text));
      else if (type === '' && name.endsWith('List')) texts.add(schemaName(group, version, name), '', plain(text));
    }
  }
  return texts;
}

const schemaName = (group: string, version: string, type: string): string =>
  `${prefixes[group] ?? `io.k8s.api.${group}`}.${version}.${type}`;

/** A name with dashes is no identifier. */
const fieldName = (name: string): string => (name.startsWith('x_kubernetes_') ? name.replaceAll('_', '-') : name);

/** Removes Pulumi's remarks about itself, and the escapes of comment ends. */
function plain(text: string): string {
  const [own = ''] = text.split(/\n\n(?=This resource waits until |Note: While Pulumi )/);
  return own.replaceAll('*&#47;', '*/');
}
