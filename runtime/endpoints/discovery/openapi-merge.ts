import type { OpenApiMembers } from '../../machinery/catalog.ts';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { OpenApiV2Encoder } from './openapi-protobuf.ts';
import type { V2Document } from './openapi-v2.ts';

/** The Swagger 2.0 document of another server. */
export interface RemoteSpec extends Required<OpenApiMembers> {
  /** A value that changes whenever the document changes. */
  readonly state: string;
  /** The prefix of the paths that count. Other paths are ignored. */
  readonly pathPrefix: string;
}

/** Merges documents one after the other. Unusable documents are left out. */
export async function mergeSpecs(document: V2Document, specs: readonly RemoteSpec[], slice: TimeSlice): Promise<V2Document> {
  let merged = document;
  for (const spec of specs) if (await isUsable(spec, slice)) merged = await mergeSpec(merged, spec, slice);
  return merged;
}

/** The result of isUsable for each document tried so far. */
const usable = new WeakMap<RemoteSpec, boolean>();

/** Reports whether the document's members have the right types. The document is encoded to find out. */
async function isUsable(spec: RemoteSpec, slice: TimeSlice): Promise<boolean> {
  let result = usable.get(spec);
  if (result === undefined) {
    const document = { ...spec, info: { title: '', version: '' }, rest: {} };
    const encoding = new OpenApiV2Encoder().encode(document, slice);
    result = await encoding.then(
      () => true,
      () => false,
    );
    usable.set(spec, result);
  }
  return result;
}

type Texts = Map<string, string>;
type Spec = { readonly [Section in keyof Required<OpenApiMembers>]: ReadonlyMap<string, string> };

const gvkKey = 'x-kubernetes-group-version-kind';
const reference = /("\$ref":")#\/(definitions|parameters)\/([^"]+)"/g;
const sectionOf = { definitions: 'schemas', parameters: 'parameters' } as const;

/**
 * Adds to a document the paths that it lacks, with the definitions and parameters these need. A definition or parameter
 * that differs from its namesake gets another name. (kube-openapi pkg/aggregator
 * MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters)
 */
async function mergeSpec(into: V2Document, spec: RemoteSpec, slice: TimeSlice): Promise<V2Document> {
  const { pathPrefix, paths } = spec;
  const kept = [...paths.keys()].filter((path) => path.startsWith(pathPrefix) && !into.paths.has(path));
  if (kept.length === 0) return into;
  const filtered = kept.length === paths.size ? spec : await filterByPaths(spec, new Set(kept), slice);
  const source = rename(filtered, {
    schemas: await renames(into.schemas, filtered.schemas, equalModuloKinds, slice),
    parameters: await renames(into.parameters, filtered.parameters, equalTexts, slice),
  });
  const schemas = new Map(into.schemas);
  for (const [name, text] of source.schemas) {
    const existing = schemas.get(name);
    schemas.set(name, existing === undefined || existing === text ? text : withMergedKinds(existing, text));
    if (slice.isOver) await slice.next();
  }
  return {
    ...into,
    schemas,
    paths: new Map([...into.paths, ...source.paths]),
    parameters: new Map([...source.parameters, ...into.parameters]),
  };
}

/** Removes the other paths and the definitions that only they use. (FilterSpecByPaths) */
async function filterByPaths(spec: Spec, kept: ReadonlySet<string>, slice: TimeSlice): Promise<Spec> {
  const paths = new Map([...spec.paths].filter(([path]) => kept.has(path)));
  const [before, after] = [await usedNames(spec, slice), await usedNames({ ...spec, paths }, slice)];
  const schemas = new Map([...spec.schemas].filter(([name]) => after.has(name) || !before.has(name)));
  return { ...spec, paths, schemas };
}

/** Returns the definitions that paths refer to, directly or through other definitions and parameters. */
async function usedNames(spec: Spec, slice: TimeSlice): Promise<Set<string>> {
  const used = new Set<string>();
  const seen = new Set<string>();
  const open = [...spec.paths.values()];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    for (const [, , section, name = ''] of text.matchAll(reference)) {
      if (section === 'definitions') used.add(name);
      const key = `${section}/${name}`;
      const target = seen.has(key) ? undefined : spec[sectionOf[section as keyof typeof sectionOf]].get(name);
      seen.add(key);
      if (target !== undefined) open.push(target);
    }
    if (slice.isOver) await slice.next();
  }
  return used;
}

/** New names for what has the name of something else. Names that were given before are given again. */
async function renames(
  into: ReadonlyMap<string, string>,
  source: ReadonlyMap<string, string>,
  isSame: (a: string, b: string) => boolean,
  slice: TimeSlice,
): Promise<Texts> {
  const result: Texts = new Map();
  const taken = new Set(into.keys());
  for (const [name, text] of source) {
    const existing = into.get(name);
    if (existing === undefined || isSame(existing, text)) continue;
    let number = 2;
    while (into.has(`${name}_v${number}`) && !isSame(into.get(`${name}_v${number}`) ?? '', text)) number++;
    if (!into.has(`${name}_v${number}`)) {
      while (taken.has(`${name}_v${number}`) || source.has(`${name}_v${number}`)) number++;
      taken.add(`${name}_v${number}`);
    }
    result.set(name, `${name}_v${number}`);
    if (slice.isOver) await slice.next();
  }
  return result;
}

function rename(spec: Spec, names: Readonly<Record<'schemas' | 'parameters', Texts>>): Spec {
  if (names.schemas.size === 0 && names.parameters.size === 0) return spec;
  const renamed = (text: string): string =>
    text.replace(reference, (whole, before: string, section: keyof typeof sectionOf, name: string) => {
      const other = names[sectionOf[section]].get(name);
      return other === undefined ? whole : `${before}#/${section}/${other}"`;
    });
  const all = (texts: ReadonlyMap<string, string>, keys?: Texts): Texts =>
    new Map([...texts].map(([name, text]) => [keys?.get(name) ?? name, renamed(text)]));
  return {
    paths: all(spec.paths),
    schemas: all(spec.schemas, names.schemas),
    parameters: all(spec.parameters, names.parameters),
  };
}

const equalTexts = (a: string, b: string): boolean => a === b || equalJson(JSON.parse(a), JSON.parse(b));

/** (deepEqualDefinitionsModuloGVKs) */
function equalModuloKinds(a: string, b: string): boolean {
  if (a === b) return true;
  const [one, other]: Json[] = [JSON.parse(a), JSON.parse(b)];
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  return equalJson({ ...one, [gvkKey]: undefined }, { ...other, [gvkKey]: undefined });
}

/** The definition with the kinds of both. (mergedGVKs) */
function withMergedKinds(existing: string, added: string): string {
  const [schema, other]: [JsonObject, JsonObject] = [JSON.parse(existing), JSON.parse(added)];
  const [before, more] = [kindsOf(schema), kindsOf(other)];
  const known = new Set(before.map(kindText));
  const missing = more.filter((kind) => !known.has(kindText(kind)));
  if (missing.length === 0) return existing;
  const merged = before.length === 0 ? missing : [...before, ...missing].sort((a, b) => (kindText(a) < kindText(b) ? -1 : 1));
  return JSON.stringify({ ...schema, [gvkKey]: merged });
}

function kindsOf(schema: JsonObject): JsonObject[] {
  const kinds = schema[gvkKey];
  return Array.isArray(kinds) ? kinds.filter(isJsonObject) : [];
}

const kindText = ({ group, version, kind }: JsonObject): string => `${group}/${version}.${kind}`;
