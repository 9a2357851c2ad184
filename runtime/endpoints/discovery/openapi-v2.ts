import type { OpenApiMembers } from '../../machinery/catalog.ts';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { readDocument, sectionOf } from './openapi-file.ts';
import { addParts, ChunkedText, type Members, restMembers } from './openapi-join.ts';
import type { DocumentHead } from './openapi-roots.ts';

/** A Swagger 2.0 document whose paths, definitions and parameters are JSON texts. */
export interface V2Document extends Required<OpenApiMembers> {
  readonly info: unknown;
  /** Members after these. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Joins the v2 documents of all catalogs and parts. Of several members with the same name, the first counts. */
export async function joinV2(
  { info, securitySchemes }: DocumentHead,
  files: readonly string[],
  parts: readonly OpenApiMembers[],
  slice: TimeSlice,
): Promise<V2Document> {
  const members: Members = { paths: new Map(), schemas: new Map(), parameters: new Map() };
  for (const file of files) addParts(members, [await v2Members(file, slice)]);
  addParts(members, parts);
  const security = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));
  const rest = security.length === 0 ? {} : { securityDefinitions: securitySchemes, security };
  return { info, rest, ...members };
}

export async function writeV2({ info, paths, schemas, parameters, rest }: V2Document, slice: TimeSlice): Promise<Buffer> {
  const text = new ChunkedText(slice);
  await text.add(`${JSON.stringify({ swagger: '2.0', info }).slice(0, -1)},"paths":`);
  await text.addMembers(paths);
  await text.add(',"definitions":');
  await text.addMembers(schemas);
  if (parameters.size > 0) {
    await text.add(',"parameters":');
    await text.addMembers(parameters);
  }
  await text.add(`${restMembers(rest)}}`);
  return text.bytes();
}

/** Files by name: every write of a CustomResourceDefinition joins the document again, but the files do not change. */
const v2Files = new Map<string, Promise<OpenApiMembers>>();

/** Returns the members of a v2 document in a file. */
export function v2Members(file: string, slice: TimeSlice): Promise<OpenApiMembers> {
  let texts = v2Files.get(file);
  if (texts === undefined) {
    texts = readV2(file, slice);
    texts.catch(() => v2Files.delete(file));
    v2Files.set(file, texts);
  }
  return texts;
}

async function readV2(file: string, slice: TimeSlice): Promise<OpenApiMembers> {
  const document = await readDocument(file, slice);
  return {
    paths: sectionOf(document, 'paths'),
    schemas: sectionOf(document, 'definitions'),
    parameters: sectionOf(document, 'parameters'),
  };
}
