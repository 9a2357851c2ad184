import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { shapeFault, shapeFaultText } from './document-shape.ts';
import { type FieldFacts, factsFault } from './field-facts.ts';
import { isFolder, listFiles, readIfPresent } from './files.ts';
import { isObject } from './json.ts';
import { expandDocuments } from './normal-form/expand.ts';
import { type OpenApiDocument, type Schema, withKindsOf } from './openapi.ts';
import type { ProblemList } from './schema-errors.ts';

/** A document and its file. */
export interface SourceDocument {
  /** The file, relative to the schemas folder: `openapi/apis/apps/v1.json`. */
  readonly file: string;
  readonly document: OpenApiDocument;
}

export interface Component {
  readonly id: string;
  readonly schema: Schema;
  readonly file: string;
}

/** The contents of a schemas folder, with OpenAPI documents expanded. */
export interface SchemasFolder {
  readonly release: string;
  readonly documents: readonly SourceDocument[];
  /** The folder of .proto files; undefined if there are none. */
  readonly protoFolder?: string;
  readonly facts: FieldFacts;
}

/** Reads `<dir>/{openapi,proto,field-facts.json,manifest.json}`. OpenAPI documents may be normalised or plain. */
export async function readSchemasFolder(dir: string, problems: ProblemList): Promise<SchemasFolder> {
  const documents = await readDocuments(dir, problems);
  const facts = await readObject(dir, 'field-facts.json', problems);
  const fault = facts && factsFault(facts);
  if (fault !== undefined) problems.add('field-facts.json', fault.pointer, fault.message);
  const manifest = await readObject(dir, 'manifest.json', problems);
  const protoFolder = join(dir, 'proto');
  const hasProtos = (await isFolder(protoFolder)) && (await listFiles(protoFolder, '.proto')).length > 0;
  return {
    release: typeof manifest?.release === 'string' ? manifest.release : basename(resolve(dir)),
    documents,
    ...(hasProtos ? { protoFolder } : {}),
    facts: (facts ?? {}) as FieldFacts,
  };
}

async function readObject(dir: string, file: string, problems: ProblemList): Promise<Record<string, unknown> | undefined> {
  const text = await readIfPresent(join(dir, file));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
    problems.add(file, [], 'is not a JSON object');
  } catch (error) {
    problems.add(file, [], (error as Error).message);
  }
  return undefined;
}

/** Returns why a value is not an OpenAPI v3 document that the loader can read; undefined if it is one. */
export function documentFault(document: unknown): string | undefined {
  if (!isObject(document)) return 'is not a JSON object';
  if (typeof document.openapi !== 'string' || !document.openapi.startsWith('3.'))
    return 'is not an OpenAPI v3 document: it lacks "openapi": "3.x.y"';
  const { paths, components = {} } = document;
  if (!isObject(paths) || !Object.values(paths).every(isObject)) return 'has no paths, or paths that are not objects';
  const schemas = isObject(components) ? (components.schemas ?? {}) : undefined;
  if (!isObject(schemas) || !Object.values(schemas).every(isObject)) return 'has components that are not objects';
  const fault = shapeFault(document);
  return fault && `is faulty: ${shapeFaultText(fault)}`;
}

/**
 * Returns the OpenAPI documents of a schemas folder, expanded, ordered by file name. Without `problems`, throws the
 * first one.
 */
export async function readDocuments(dir: string, problems?: ProblemList): Promise<SourceDocument[]> {
  const names = await listFiles(join(dir, 'openapi'), '.json');
  const texts = await Promise.all(names.map((name) => readFile(join(dir, 'openapi', name), 'utf8')));
  const parsed = new Map<string, unknown>();
  const guarded = (file: string, action: () => void): void => {
    try {
      action();
    } catch (error) {
      if (!problems) throw error;
      problems.add(file, [], (error as Error).message);
    }
  };
  for (const [index, name] of names.entries()) guarded(`openapi/${name}`, () => parsed.set(name, JSON.parse(texts[index] ?? '')));
  const documents: SourceDocument[] = [];
  guarded('openapi', () => {
    for (const [name, document] of expandDocuments(parsed)) {
      const fault = documentFault(document);
      if (fault === undefined) documents.push({ file: `openapi/${name}`, document });
      else if (problems) problems.add(`openapi/${name}`, [], fault);
      else throw new Error(`openapi/${name}: ${fault}`);
    }
  });
  return documents;
}

/**
 * Returns the components of all documents by id. Two components with one id that differ in more than their kinds are a
 * problem.
 */
export function collectComponents(documents: readonly SourceDocument[], problems: ProblemList): ReadonlyMap<string, Component> {
  const components = new Map<string, Component & { readonly text: string }>();
  for (const { file, document } of documents) {
    for (const [id, schema] of Object.entries(document.components?.schemas ?? {})) {
      const text = JSON.stringify(schema);
      const known = components.get(id);
      const united = known && known.text !== text ? withKindsOf(known.schema, schema) : undefined;
      if (!known) components.set(id, { id, schema, file, text });
      else if (united) components.set(id, { ...known, schema: united });
      else if (known.text !== text)
        problems.add(file, ['components', 'schemas', id], `differs from the component of this name in ${known.file}`);
    }
  }
  return components;
}
