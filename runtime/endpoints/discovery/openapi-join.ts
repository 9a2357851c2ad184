import type { OpenApiMembers } from '../../machinery/catalog.ts';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { type DocumentSections, readDocument, sectionOf } from './openapi-file.ts';

/** Number of characters encoded at once. */
const pieceLength = 128 * 1024;

/** Members that are being joined. */
export interface Members {
  readonly paths: Map<string, string>;
  readonly schemas: Map<string, string>;
  readonly parameters: Map<string, string>;
}

/**
 * Joins the OpenAPI v3 document of a group-version.
 *
 * @param base the file with the document of the catalog; undefined if no catalog has the group-version
 * @param others the files with schemas that the parts refer to, but do not contain
 */
export async function joinV3(
  base: string | undefined,
  parts: readonly OpenApiMembers[],
  others: readonly string[],
  slice: TimeSlice,
): Promise<Buffer> {
  const document = base === undefined ? emptyV3 : await readDocument(base, slice);
  const members: Members = {
    paths: new Map(sectionOf(document, 'paths')),
    schemas: new Map(sectionOf(document, 'components.schemas')),
    parameters: new Map(),
  };
  addParts(members, parts);
  await addMissing(members, others, slice);
  if (base === undefined) for (const [name, text] of members.schemas) members.schemas.set(name, withKindsOfClients(text));
  const text = new ChunkedText(slice);
  await text.add(`{${jsonMembers(sectionOf(document, ''))},"paths":`);
  await text.addMembers(members.paths);
  await text.add(',"components":{"schemas":');
  await text.addMembers(members.schemas);
  const rest = jsonMembers(sectionOf(document, 'components'));
  await text.add(`${rest === '' ? '' : `,${rest}`}}}`);
  return text.bytes();
}

const emptyV3: DocumentSections = new Map([
  [
    '',
    new Map([
      ['openapi', '"3.0.0"'],
      ['info', '{"title":"Kubernetes CRD Swagger","version":"v0.1.0"}'],
    ]),
  ],
]);

/** Returns the text of an object's members. */
export const jsonMembers = (members: ReadonlyMap<string, string>): string =>
  [...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',');

/** Adds the members of the parts. The first of several members with one name counts. */
export function addParts(members: Members, parts: readonly OpenApiMembers[]): void {
  for (const { paths, schemas, parameters = [] } of parts) {
    for (const [name, text] of paths) if (!members.paths.has(name)) members.paths.set(name, text);
    for (const [name, text] of schemas) if (!members.schemas.has(name)) members.schemas.set(name, text);
    for (const [name, text] of parameters) members.parameters.set(name, text);
  }
}

/** Adds schemas that are referred to, and those to which these refer, from the first file that has them. */
async function addMissing({ paths, schemas }: Members, files: readonly string[], slice: TimeSlice): Promise<void> {
  const missing = missingReferences([...paths.values(), ...schemas.values()], schemas);
  for (const file of files) {
    let added: string[] = [];
    do {
      added = await findSchemas(file, missing, slice);
      for (const name of added) missing.delete(name);
      const texts: string[] = [];
      for (const name of added) {
        const text = fileSchemas.get(`${file} ${name}`) as string;
        schemas.set(name, text);
        texts.push(text);
      }
      for (const name of missingReferences(texts, schemas)) missing.add(name);
    } while (added.length > 0);
    if (missing.size === 0) return;
  }
}

/** Groups whose kinds only servers know. */
const groupsOfServers: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** DeleteOptions list the group-versions that they are known in. Beside custom resources, these are those of clients. */
function withKindsOfClients(text: string): string {
  if (!text.includes('"group":"admission.k8s.io"')) return text;
  const { 'x-kubernetes-group-version-kind': kinds, ...schema } = JSON.parse(text);
  const known = (kinds as { group: string }[]).filter(({ group }) => !groupsOfServers.has(group));
  return JSON.stringify({ ...schema, 'x-kubernetes-group-version-kind': known });
}

/** Schemas by file and name; undefined if the file does not have the schema. */
const fileSchemas = new Map<string, string | undefined>();

async function findSchemas(file: string, names: ReadonlySet<string>, slice: TimeSlice): Promise<string[]> {
  const keys = new Map([...names].map((name) => [name, `${file} ${name}`]));
  if ([...keys.values()].some((key) => !fileSchemas.has(key))) {
    const schemas = sectionOf(await readDocument(file, slice), 'components.schemas');
    for (const [name, key] of keys) fileSchemas.set(key, schemas.get(name));
  }
  return [...keys].filter(([, key]) => fileSchemas.get(key) !== undefined).map(([name]) => name);
}

function missingReferences(texts: Iterable<string>, present: ReadonlyMap<string, string>): Set<string> {
  const names = new Set<string>();
  for (const text of texts) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) if (!present.has(name)) names.add(name);
  }
  return names;
}

/** Sorts the members by name. */
export const sorted = (members: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...members].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Encodes a long text in chunks. */
export class ChunkedText {
  readonly #slice: TimeSlice;
  readonly #pieces: Buffer[] = [];
  #text = '';

  constructor(slice: TimeSlice) {
    this.#slice = slice;
  }

  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length < pieceLength) return;
    this.#end();
    if (this.#slice.isOver) await this.#slice.next();
  }

  /** Adds a JSON object, with its members sorted by name. */
  async addMembers(members: ReadonlyMap<string, string>): Promise<void> {
    let before = '{';
    for (const [name, text] of sorted(members)) {
      await this.add(`${before}${JSON.stringify(name)}:${text}`);
      before = ',';
    }
    await this.add(before === '{' ? '{}' : '}');
  }

  bytes(): Buffer {
    this.#end();
    return Buffer.concat(this.#pieces);
  }

  #end(): void {
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** The members of an object behind others. */
export const restMembers = (rest: Readonly<Record<string, unknown>>): string => {
  const text = JSON.stringify(rest).slice(1, -1);
  return text === '' ? '' : `,${text}`;
};
