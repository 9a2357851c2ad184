import { readFile } from 'node:fs/promises';
import { shapeFault, shapeFaultText } from '../load/document-shape.ts';
import { isObject } from '../load/json.ts';
import { reachable } from '../load/normal-form/form.ts';
import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { documentFault } from '../load/schemas-folder.ts';
import { ImportError } from './source.ts';
import { splitSwagger } from './swagger.ts';
import { lineFinder, parseText } from './text.ts';
import type { TreeFile } from './tree.ts';

/** Reports whether a text has the key that every OpenAPI document has. */
const looksLikeDocument = (text: string): boolean => /(?:^|[{,\s])["']?(?:swagger|openapi)["']?\s*:\s*["']?[23]\./.test(text);

/**
 * Reads the OpenAPI v3 documents among some files, or the Swagger 2.0 documents if there are none: v3 has more facts.
 * Documents without paths of a group-version, such as /version and /apis, are left out.
 *
 * @throws ImportError for an unreadable document, and for two that differ in one group-version
 */
export async function readDocumentFiles(files: readonly TreeFile[]): Promise<FoundDocuments> {
  const candidates: [TreeFile, string][] = [];
  for (const file of files.filter(({ name }) => /\.(?:json|ya?ml)$/.test(name))) {
    const text = await readFile(file.path, 'utf8');
    if (looksLikeDocument(text)) candidates.push([file, text]);
  }
  const parsed = candidates.map(([file, text]) => ({ path: file.path, text, value: parseText(text, file.path) }));
  const v3 = parsed.filter(({ value }) => isObject(value) && value.openapi !== undefined);
  const found = new FoundDocuments();
  for (const { path, text, value } of v3.length > 0 ? v3 : parsed) {
    if (isObject(value) && !('normalForm' in value)) checkShape(path, text, value);
    found.add(path, text, value);
  }
  return found;
}

/** @throws ImportError for a file that is not an OpenAPI document */
export async function readDocumentFile(path: string): Promise<{ readonly text: string; readonly value: unknown }> {
  if (path.endsWith('.proto')) throw new ImportError(`${path} is a .proto file: pass the folder that has all of them`);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`cannot read ${path}: ${error.code ?? error.message}`);
  });
  const value = parseText(text, path);
  const kind = isObject(value) && typeof value.kind === 'string' ? value.kind : undefined;
  if (kind === 'CustomResourceDefinition')
    throw new ImportError(`${path} is a CustomResourceDefinition: pass it to kubeloom generate --crd`);
  if (!isObject(value) || (value.openapi === undefined && value.swagger === undefined))
    throw new ImportError(
      `${path} is ${kind === undefined ? 'not an OpenAPI v3 or Swagger 2.0 document' : `a ${kind}, not an OpenAPI document`}`,
    );
  checkShape(path, text, value);
  return { text, value };
}

function checkShape(path: string, text: string, value: object): void {
  const fault = shapeFault({ ...value });
  if (fault) throw new ImportError(`${path}:${lineFinder(text)(fault.pointer)}: ${shapeFaultText(fault)}`);
}

/** The documents of group-versions that were found, by file name below openapi/. */
export class FoundDocuments {
  readonly documents = new Map<string, OpenApiDocument>();
  /** The texts of the source files, by names that do not depend on the machine. */
  readonly inputs = new Map<string, string>();
  /** The paths of the source files. */
  readonly paths = new Map<string, string>();

  add(path: string, text: string, value: unknown): void {
    const split = isObject(value) && value.swagger !== undefined ? ofSwagger(value, path) : ofV3(value, path);
    for (const [name, document] of split) {
      const other = this.documents.get(name);
      if (other && JSON.stringify(other) !== JSON.stringify(document))
        throw new ImportError(`${this.paths.get(name)} and ${path} both have ${groupVersionOf(name)}, and differ`);
      this.documents.set(name, document);
      this.paths.set(name, path);
    }
    const [first] = split.keys();
    if (first !== undefined) this.inputs.set(split.size === 1 ? `openapi/${first}` : 'swagger.json', text);
  }
}

/** `apis/apps/v1.json` -> `apps/v1`. */
export const groupVersionOf = (name: string): string => name.replace(/^apis?\//, '').replace(/\.json$/, '');

function ofSwagger(value: object, path: string): Map<string, OpenApiDocument> {
  try {
    return splitSwagger(value);
  } catch (error) {
    throw new ImportError(`${path}: ${(error as Error).message}`);
  }
}

/** Returns a document for each group-version with paths in the input. */
function ofV3(value: unknown, path: string): Map<string, OpenApiDocument> {
  const document = value as OpenApiDocument;
  if ('normalForm' in document) throw new ImportError(`${path} is of a schemas folder: import that folder alone`);
  const fault = documentFault(value);
  if (fault !== undefined) throw new ImportError(`${path} ${fault}`);
  const byName = new Map<string, [string, OpenApiDocument['paths'][string]][]>();
  for (const [key, item] of Object.entries(document.paths)) {
    const place = parseResourcePath(key);
    if (!place) continue;
    const name = documentName(place.group, place.version);
    byName.set(name, [...(byName.get(name) ?? []), [key, item]]);
  }
  if (byName.size < 2) return new Map([...byName.keys()].map((name) => [name, document]));
  return new Map([...byName].map(([name, items]) => [name, partOf(document, items)]));
}

export const documentName = (group: string, version: string): string =>
  group === '' ? `api/${version}.json` : `apis/${group}/${version}.json`;

function partOf(document: OpenApiDocument, items: readonly (readonly [string, OpenApiDocument['paths'][string]])[]): OpenApiDocument {
  const schemas = document.components?.schemas ?? {};
  const lookup = (id: string): Schema | undefined => (Object.hasOwn(schemas, id) ? schemas[id] : undefined);
  const used = [...reachable(items, lookup)].filter((id) => lookup(id) !== undefined).sort();
  return {
    ...document,
    paths: Object.fromEntries(items),
    components: { ...document.components, schemas: Object.fromEntries(used.map((id) => [id, schemas[id] ?? {}])) },
  };
}
