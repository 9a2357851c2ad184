import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../load/files.ts';
import { commentsIn } from './comments.ts';
import { Texts } from './texts.ts';

/** Reads the descriptions of models from the declarations of @kubernetes/client-node, by name of the class. */
export async function readModels(folder: string): Promise<Texts> {
  const texts = new Texts();
  for (const declarations of await readAll(join(folder, 'dist/gen/models'))) {
    for (const { scope, name, text } of commentsIn(declarations)) {
      if (text.includes('OpenAPI Generator')) continue; // of a class without a description
      texts.add(scope[0] ?? name, scope.length === 0 ? '' : name, unescaped(text));
    }
  }
  return texts;
}

/** Returns the class names that a type may have: its group is a prefix where several groups have the type. */
export function classNames(schema: string): readonly string[] {
  const [type = '', version = '', group = ''] = schema.split('.').reverse();
  const name = `${capitalized(version)}${type}`;
  return [`${capitalized(group)}${name}`, name];
}

const factory = 'ApiRequestFactory';

/** Reads the descriptions of operations and their parameters, by API and method: `AppsV1.listNamespacedDeployment`. */
export async function readOperations(folder: string): Promise<Texts> {
  const texts = new Texts();
  for (const declarations of await readAll(join(folder, 'dist/gen/apis'))) {
    for (const { scope, name, text } of commentsIn(declarations)) {
      if (!scope[0]?.endsWith(factory)) continue;
      const operation = `${scope[0].slice(0, -factory.length)}.${name}`;
      for (const line of text.split('\n')) {
        // names that JavaScript reserves begin with an underscore
        const [, parameter, described = ''] = /^@param _?(\w+) (.*)$/.exec(line) ?? [];
        if (parameter !== undefined) texts.add(operation, parameter, paragraphs(unescaped(described)));
        else if (!line.startsWith('@') && line !== '') texts.add(operation, '', unescaped(line));
      }
    }
  }
  return texts;
}

/** @param tag the operation's tag, as `apps_v1` */
export function methodName(operationId: string, tag: string): string {
  const api = tag.split('_').map(capitalized).join('');
  return `${api}.${operationId.replace(api, '')}`;
}

const readAll = async (folder: string): Promise<string[]> =>
  Promise.all((await listFiles(folder, '.d.ts')).map((file) => readFile(join(folder, file), 'utf8')));

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * Restores paragraphs. A comment has a space for each line break: before another paragraph, an indented line, or an
 * item after such a line.
 */
const paragraphs = (text: string): string =>
  text
    .replace(/\. {2}(?=[A-Z])/g, '.\n\n')
    .replace(/ {3}(?=\S)/g, '\n  ')
    .replace(/(\n {2}[^\n]*\.) (?=- )/g, '$1\n');

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Undoes the escapes of comment ends, quotes and HTML. */
function unescaped(text: string): string {
  return text
    .replace(/\\(.)/g, '$1')
    .replaceAll('*_/', '*/')
    .replace(/&#x([0-9A-F]+);|&#(\d+);/g, (_, hex?: string, decimal?: string) =>
      String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity);
}
