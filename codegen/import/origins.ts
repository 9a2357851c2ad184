import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfPresent } from '../load/files.ts';
import { compileProtos, type ProtoIndex } from '../load/protos.ts';
import { escapePointer, isSchemaErrors, pointerParts, SchemaErrors, type SchemaProblem } from '../load/schema-errors.ts';
import { writeFiles } from '../output/staging.ts';
import { componentKey, type ImportSource, type Origins } from './source.ts';
import { lineFinder } from './text.ts';

type Located = Pick<ImportSource, 'protos' | 'origins'>;

/** Compiles .proto files from their texts. @throws SchemaErrors */
export async function compileTexts(protos: ReadonlyMap<string, string>): Promise<ProtoIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-protos-'));
  try {
    await writeFiles(protos, folder);
    return await compileProtos(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs work whose problems name the files of a schemas folder. Its errors name the original files and their lines. */
export async function withOrigins<T>(source: Located, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isSchemaErrors(error) ? new SchemaErrors(await located(error.problems, source)) : error;
  }
}

async function located(problems: readonly SchemaProblem[], { protos, origins = {} }: Located): Promise<SchemaProblem[]> {
  const ofText = problems.some(isOfText) ? await problemsOfTexts(protos) : [];
  const kept = ofText.length === 0 ? problems : [...ofText, ...problems.filter((problem) => !isOfText(problem))];
  return Promise.all(kept.map((problem) => inDocument(inProto(problem, protos, origins), origins)));
}

/**
 * Reports whether a problem has a position in the text of a .proto file. The original file may have comments, so that
 * its positions differ.
 */
const isOfText = ({ file, pointer }: SchemaProblem): boolean => file.startsWith('proto/') && pointer.startsWith(':');

async function problemsOfTexts(protos: ReadonlyMap<string, string>): Promise<readonly SchemaProblem[]> {
  try {
    await compileTexts(protos);
    return [];
  } catch (error) {
    if (isSchemaErrors(error)) return error.problems;
    throw error;
  }
}

function inProto(problem: SchemaProblem, protos: ReadonlyMap<string, string>, { protos: paths }: Origins): SchemaProblem {
  const [, name, place = ''] = /^proto\/(.+?\.proto)(:\d+)?$/.exec(problem.file) ?? [];
  const path = name && paths?.get(name);
  if (name === undefined || path === undefined) return problem;
  const [, message, field] = /^#\/([^/]+)\/([^/]+)$/.exec(problem.pointer) ?? [];
  const line =
    place === '' && message !== undefined && field !== undefined ? lineOfField(protos.get(name) ?? '', message, field) : undefined;
  return { ...problem, file: line === undefined ? `${path}${place}` : `${path}:${line}` };
}

/** Returns the line of a field in the text of a .proto file. */
function lineOfField(text: string, message: string, field: string): number | undefined {
  const start = text.search(new RegExp(`\\bmessage\\s+${message}\\b`));
  const at = start < 0 ? -1 : text.slice(start).search(new RegExp(`\\b${field}\\s*=`));
  return at < 0 ? undefined : text.slice(0, start + at).split('\n').length;
}

async function inDocument(problem: SchemaProblem, origins: Origins): Promise<SchemaProblem> {
  const { document, documents, messages } = origins;
  const name = /^openapi\/(.+\.json)$/.exec(problem.file)?.[1];
  if (name === undefined) return problem;
  const parts = pointerParts(problem.pointer);
  if (messages !== undefined) return inMessage(problem, parts[2], messages);
  if (document === undefined) {
    const path = documents?.get(name);
    const line = path && lineFinder((await readIfPresent(path)) ?? '')(parts);
    return path === undefined ? problem : { ...problem, file: line === 1 ? path : `${path}:${line}` };
  }
  const [, , id = '', ...rest] = parts;
  const component = document.components.get(componentKey(name, id));
  const path = component === undefined ? [] : [...component, ...rest];
  return {
    file: `${document.path}:${lineFinder(document.text)(path)}`,
    pointer: `#${path.map((part) => `/${escapePointer(part)}`).join('')}`,
    message: inWordsOf(document.components, name, problem.message),
  };
}

/** @param id the id of the component with the problem */
function inMessage(problem: SchemaProblem, id: string | undefined, messages: NonNullable<Origins['messages']>): SchemaProblem {
  const found = id === undefined ? undefined : messages.get(id);
  if (found === undefined) return problem;
  const names = [...messages].sort(([one], [other]) => other.length - one.length);
  const message = names.reduce((text, [each, { name }]) => text.replaceAll(each, name), problem.message);
  return { file: found.place, pointer: `#/${found.name}`, message };
}

/** Returns a message with the names of schemas in place of their ids. */
function inWordsOf(components: ReadonlyMap<string, readonly string[]>, file: string, message: string): string {
  const names = [...components].flatMap(([key, path]): [string, string][] => {
    const id = key.slice(file.length + 1);
    return key === componentKey(file, id) ? [[id, path.at(-1) ?? id]] : [];
  });
  const longestFirst = names.sort(([one], [other]) => other.length - one.length);
  return longestFirst.reduce((text, [id, written]) => text.replaceAll(id, written), message);
}
