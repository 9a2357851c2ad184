import { dirname } from 'node:path/posix';
import { componentPrefix, type FieldFacts } from '../load/field-facts.ts';
import { reachable } from '../load/normal-form/form.ts';
import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import type { ImportSource } from './source.ts';

/**
 * Completes a source with types of another one: types (ObjectMeta, Quantity, ...) that its documents and .proto files
 * refer to and lack, with the facts of their packages.
 */
export function addMissingTypes(source: ImportSource, base: ImportSource): ImportSource {
  const schemas = new Map<string, Schema>();
  for (const document of base.documents.values())
    for (const [id, schema] of Object.entries(document.components?.schemas ?? {})) schemas.set(id, schema);
  const added = new Set<string>();
  const documents = new Map([...source.documents].map(([file, document]) => [file, withMissingTypes(document, schemas, added)]));
  const protos = withImports(new Map([...protosOf(added, base), ...source.protos]), base.protos);
  const facts = factsOf(source.facts ?? {}, base.facts ?? {}, added);
  return { ...source, documents, protos, ...(Object.keys(facts).length > 0 ? { facts } : {}) };
}

function withMissingTypes(document: OpenApiDocument, base: ReadonlyMap<string, Schema>, added: Set<string>): OpenApiDocument {
  const own = document.components?.schemas ?? {};
  const lookup = (id: string): Schema | undefined => (Object.hasOwn(own, id) ? own[id] : base.get(id));
  const missing = [...reachable(document, lookup)].filter((id) => !Object.hasOwn(own, id));
  for (const id of missing) added.add(id);
  if (missing.length === 0) return document;
  const schemas = {
    ...own,
    ...Object.fromEntries(
      missing.flatMap((id) => {
        const schema = base.get(id);
        return schema ? [[id, schema]] : [];
      }),
    ),
  };
  return { ...document, components: { ...document.components, schemas } };
}

function withImports(own: ReadonlyMap<string, string>, base: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map(own);
  const queue = [...own.values()];
  for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
    for (const [, file = ''] of text.matchAll(/^\s*import\s+(?:public\s+)?"([^"]+)"/gm)) {
      const added = all.has(file) ? undefined : base.get(file);
      if (added === undefined) continue;
      all.set(file, added);
      queue.push(added);
    }
  }
  return all;
}

/** The .proto files of the added types' packages. Kubernetes keeps each in the folder of its Go package. */
function protosOf(added: ReadonlySet<string>, base: ImportSource): [string, string][] {
  const prefixes = new Set([...added].map((id) => id.slice(0, id.lastIndexOf('.'))));
  return [...base.protos].filter(([file]) => prefixes.has(componentPrefix(dirname(file))));
}

/** The facts of the added types' packages. */
function factsOf(own: FieldFacts, base: FieldFacts, added: ReadonlySet<string>): FieldFacts {
  const prefixes = new Set([...added].map((id) => id.slice(0, id.lastIndexOf('.'))));
  const packages = Object.keys(base).filter((goPackage) => prefixes.has(componentPrefix(goPackage)));
  return { ...Object.fromEntries(Object.entries(base).filter(([goPackage]) => packages.includes(goPackage))), ...own };
}
