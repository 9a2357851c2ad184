import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { valueSchema } from '../types/decl-type.ts';

export interface FieldPathOptions {
  /** Whether `['name']` is allowed. Default: true. */
  readonly allowArrayNotation?: boolean;
}

/** A path and the schema that it leads to, or an error. */
export type ResolvedFieldPath =
  | { readonly path: string; readonly schema: JsonSchema; readonly error?: undefined }
  | { readonly error: string; readonly path?: undefined };

/** Splits `.spec.names['a.b']` into delimiters, quoted strings and names. */
function tokens(path: string): string[] {
  return path.match(/'(?:[^'\\]|\\[\s\S])*'|'[\s\S]*|[.[\]]|[^.[\]]+/g) ?? [];
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: '\u0007',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
    "'": "'",
    '\\': '\\',
  }),
);

function unescapeQuoted(text: string): { text: string; error?: string } {
  let error: string | undefined;
  const plain = text.replace(/\\(.)/g, (match, char: string) => {
    const unescaped = escapes.get(char);
    if (unescaped !== undefined) return unescaped;
    error = `invalid string literal: invalid escape char ${match}`;
    return '';
  });
  return error === undefined ? { text: plain } : { text: plain, error };
}

/**
 * Resolves the fieldPath of a rule or the jsonPath of a selectable field.
 * (apiextensions pkg/apiserver/schema/cel ValidFieldPath)
 */
export function resolveFieldPath(path: string, schema: JsonSchema, options: FieldPathOptions = {}): ResolvedFieldPath {
  const found = tokens(path);
  let at = FieldPath.root;
  let current = schema;
  for (let i = 0; i < found.length; ) {
    const opening = found[i++];
    if (opening !== '.' && opening !== '[') return { error: `expected [ or . but got: ${opening}` };
    if (opening === '[' && options.allowArrayNotation === false) return { error: 'array notation is not allowed' };
    let name = found[i++];
    if (name === undefined) return { error: 'unexpected end of JSON path' };
    if (opening === '[') {
      if (name.length < 2 || !name.startsWith("'") || !name.endsWith("'")) {
        return { error: `expected single quoted string but got ${name}` };
      }
      const { text, error } = unescapeQuoted(name.slice(1, -1));
      if (error !== undefined) return { error };
      name = text;
    }
    const values = valueSchema(current);
    if (current.properties) {
      const property = Object.hasOwn(current.properties, name) ? current.properties[name] : undefined;
      if (property === undefined) return { error: 'does not refer to a valid field' };
      at = at.child(name);
      current = property;
    } else if (values) {
      at = at.key(name);
      current = values;
    } else return { error: 'does not refer to a valid field' };
    if (opening !== '[') continue;
    if (i >= found.length) return { error: 'unexpected end of JSON path' };
    if (found[i] !== ']') return { error: `expected ] but got ${found[i]}` };
    i++;
  }
  return { path: at.toString(), schema: current };
}
