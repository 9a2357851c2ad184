import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shapeFaultText } from '../load/document-shape.ts';
import { type FieldFacts, factsFault } from '../load/field-facts.ts';
import { isFolder, listFiles, readIfPresent } from '../load/files.ts';
import { isObject } from '../load/json.ts';
import { expandDocuments } from '../load/normal-form/expand.ts';
import type { OpenApiDocument } from '../load/openapi.ts';
import { documentFault } from '../load/schemas-folder.ts';
import { type ExtraFiles, ImportError, type ImportSource, type Origins } from './source.ts';
import { parseText } from './text.ts';

export interface ProtoAndFacts {
  readonly protos: Map<string, string>;
  readonly facts?: FieldFacts;
  readonly inputs: Map<string, string>;
  readonly origins: Origins;
}

/** Reads a folder with openapi/ and optionally proto/ and field-facts.json. `extra` replaces the last two. */
export async function readFolder(dir: string, extra: ExtraFiles = {}): Promise<ImportSource> {
  const openapi = (await isFolder(join(dir, 'openapi'))) ? join(dir, 'openapi') : dir;
  const names = (await listFiles(openapi, '.json')).filter((name) => name.startsWith('api') || name === 'shared.json');
  if (names.length === 0)
    throw new ImportError(`${dir} has no OpenAPI documents (openapi/api/v1.json, openapi/apis/<group>/<version>.json)`);
  const files = new Map<string, unknown>();
  const others = await readProtoAndFacts({
    proto: extra.proto ?? join(dir, 'proto'),
    facts: extra.facts ?? join(dir, 'field-facts.json'),
  });
  for (const name of names) {
    const text = await readFile(join(openapi, name), 'utf8');
    others.inputs.set(`openapi/${name}`, text);
    files.set(name, parseText(text, `openapi/${name}`));
  }
  const documents = expanded(files);
  checkDocuments(documents);
  const paths = new Map(names.map((name) => [name, join(openapi, name)]));
  return { kind: 'folder', documents, ...others, origins: { ...others.origins, documents: paths } };
}

function expanded(files: ReadonlyMap<string, unknown>): Map<string, OpenApiDocument> {
  try {
    return expandDocuments(files);
  } catch (error) {
    throw new ImportError(`openapi/${(error as Error).message}`);
  }
}

/** Throws an ImportError for the first value that is not an OpenAPI v3 document. */
export function checkDocuments(documents: ReadonlyMap<string, unknown>): void {
  for (const [name, document] of documents) {
    const fault = documentFault(document);
    if (fault !== undefined) throw new ImportError(`openapi/${name} ${fault}`);
  }
}

/** Reads .proto files and field facts; either may be missing. */
export async function readProtoAndFacts({ proto, facts: factsFile }: ExtraFiles): Promise<ProtoAndFacts> {
  const inputs = new Map<string, string>();
  const protos = new Map<string, string>();
  const paths = new Map<string, string>();
  const names = proto === undefined ? [] : await listFiles(proto, '.proto');
  for (const name of names) {
    const text = await readFile(join(proto ?? '', name), 'utf8');
    protos.set(name, text);
    inputs.set(`proto/${name}`, text);
    paths.set(name, join(proto ?? '', name));
  }
  const origins = { protos: paths };
  const facts = factsFile === undefined ? undefined : await readIfPresent(factsFile);
  if (facts === undefined) return { protos, inputs, origins };
  inputs.set('field-facts.json', facts);
  return { protos, inputs, origins, facts: parseFacts(facts) };
}

function parseFacts(text: string): FieldFacts {
  const facts = parseText(text, 'field-facts.json');
  if (!isObject(facts)) throw new ImportError('field-facts.json is not a JSON object');
  const fault = factsFault(facts);
  if (fault) throw new ImportError(`field-facts.json: ${shapeFaultText(fault)}`);
  return facts as FieldFacts;
}
