import type { GoTypes } from './field-facts.ts';
import { escapePointer, type ProblemList } from './schema-errors.ts';
import type { SourceDocument } from './schemas-folder.ts';
import type { BuiltType } from './types.ts';

/** Reports each `$ref` that points to nothing in its own document. */
export function checkRefs(
  documents: readonly SourceDocument[],

  problems: ProblemList,
): void {
  for (const { file, document } of documents) {
    walkRefs(document, [], (ref, pointer) => {
      if (!pointsInto(document, ref)) problems.add(file, pointer, `$ref to nothing: ${ref}`);
    });
  }
}

/** The members of `properties` are names, not keywords: a property may be called `$ref`. */
function walkRefs(value: unknown, pointer: readonly string[], visit: (ref: string, pointer: readonly string[]) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const named = pointer.at(-1) === 'properties' && pointer.at(-2) !== 'properties';
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string' && !named) visit(child, [...pointer, key]);
    else if (!proseOrData.has(key) || named) walkRefs(child, [...pointer, key], visit);
  }
}

const proseOrData = new Set(['default', 'enum', 'example', 'description', 'x-kubernetes-group-version-kind']);

function pointsInto(document: unknown, ref: string): boolean {
  if (!ref.startsWith('#/')) return false;
  let at: unknown = document;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false;
    at = (at as Record<string, unknown>)[key];
  }
  return true;
}

/**
 * Reports fields that only one of proto and OpenAPI has, with three exceptions: kind and apiVersion, which are in the
 * envelope on the wire; inlined structs, which are messages of their own on the wire; and fields that Go leaves out of
 * JSON.
 */
export function checkFields({ type, sources, read }: BuiltType, file: string | undefined, go: GoTypes, problems: ProblemList): void {
  const { schema, message } = sources;
  const withoutJson = numbersWithoutJson(sources, go);
  for (const field of schema ? (message?.desc.fields ?? []) : []) {
    if (read.numbers.has(field.number) || withoutJson.has(field.number)) continue;
    problems.add(message?.file ?? '', [type.name, field.name], `the OpenAPI type ${type.id} has no such property`);
  }
  if (!schema || file === undefined) return;
  const known = new Set(type.fields.map(({ json }) => json));
  const at = ['components', 'schemas', type.id, 'properties'];
  for (const property of Object.keys(schema.properties ?? {})) {
    const field = type.fields.find(({ json }) => json === property);
    if (!field) problems.add(file, [...at, property], 'the field facts have no such field');
    else if (message && !isOnWire(field)) problems.add(file, [...at, property], `the message ${message.desc.typeName} has no such field`);
  }
  for (const name of known) {
    if (Object.hasOwn(schema.properties ?? {}, name) || schema.properties === undefined) continue;
    problems.add(file, at, `lacks ${escapePointer(name)}, which the field facts have`);
  }
}

const isOnWire = ({ json, protoNumber, inlinedFrom }: BuiltType['type']['fields'][number]): boolean =>
  protoNumber !== undefined || inlinedFrom !== undefined || json === 'kind' || json === 'apiVersion';

function numbersWithoutJson({ goName }: BuiltType['sources'], go: GoTypes): ReadonlySet<number> {
  const struct = goName && go.struct(goName);
  return new Set(struct?.facts.fields.flatMap(({ json, proto }) => (json === '-' && proto !== undefined ? proto : [])));
}
