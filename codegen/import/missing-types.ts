import { dirname } from 'node:path/posix';
import { componentPrefix, type FieldFacts } from '../load/field-facts.ts';
import { reachable } from '../load/normal-form/form.ts';
import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import type { ImportSource } from './source.ts';

/**
 * A source that stands alone: what its documents and .proto files refer to but do not have (ObjectMeta, Quantity, ...)
 * comes from another one, with the facts of those types' packages.
 */
export function addMissingTypes(source: ImportSource, base: ImportSource): ImportSource {
  const schemas = new Map<string, Schema>();
  for (const document of base.documents.values())
    for (const [id, schema] of Object.entries(document.components?.schemas ?? {})) schemas.set(id, schema);
  const lent = new Set<string>();
  const documents = new Map(
    [...source.documents].map(([file, document]) => [file, completed(document, schemas, lent)]),
  );
  const protos = withImports(new Map([...protosOf(lent, base), ...source.protos]), base.protos);
  const facts = lentFacts(source.facts ?? {}, base.facts ?? {}, lent);
  return { ...source, documents, protos, ...(Object.keys(facts).length > 0 ? { facts } : {}) };
}

function completed(document: OpenApiDocument, base: ReadonlyMap<string, Schema>, lent: Set<string>): OpenApiDocument {
  const own = document.components?.schemas ?? {};
  const lookup = (id: string): Schema | undefined => (Object.hasOwn(own, id) ? own[id] : base.get(id));
  const missing = [...reachable(document, lookup)].filter((id) => !Object.hasOwn(own, id));
  for (const id of missing) lent.add(id);
  if (missing.length === 0) return document;
  const schemas = { ...own, ...Object.fromEntries(missing.map((id) => [id, base.get(id)!])) };
  return { ...document, components: { ...document.components, schemas } };
}

function withImports(own: ReadonlyMap<string, string>, base: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map(own);
  const queue = [...own.values()];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const [, file] of text.matchAll(/^\s*import\s+(?:public\s+)?"([^"]+)"/gm)) {
      const lent = all.has(file) ? undefined : base.get(file);
      if (lent === undefined) continue;
      all.set(file, lent);
      queue.push(lent);
    }
  }
  return all;
}

/** The files of the lent types' packages, by the folder that Kubernetes keeps them in: that of the Go package. */
function protosOf(lent: ReadonlySet<string>, base: ImportSource): [string, string][] {
  const prefixes = new Set([...lent].map((id) => id.slice(0, id.lastIndexOf('.'))));
  return [...base.protos].filter(([file]) => prefixes.has(componentPrefix(dirname(file))));
}

/** Facts of the lent types' packages. */
function lentFacts(own: FieldFacts, base: FieldFacts, lent: ReadonlySet<string>): FieldFacts {
  const prefixes = new Set([...lent].map((id) => id.slice(0, id.lastIndexOf('.'))));
  const packages = Object.keys(base).filter((goPackage) => prefixes.has(componentPrefix(goPackage)));
  return { ...Object.fromEntries(packages.map((goPackage) => [goPackage, base[goPackage]])), ...own };
}
