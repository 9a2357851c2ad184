import { createHash } from 'node:crypto';
import type { Schema } from '../load/openapi.ts';

/** Compact JSON with a line for each path, schema and shared parameter: small, yet readable in a diff. */
export function documentText(document: object): string {
  const parts = Object.entries(document).map(([key, value]) => `${JSON.stringify(key)}:${section(key, value)}`);
  return `{\n${parts.join(',\n')}\n}\n`;
}

/** Sections with a line for each entry. `components` contains two of them. */
const listed = new Set(['paths', 'schemas', 'definitions', 'parameters']);

function section(key: string, value: unknown): string {
  if (key === 'components') return documentText(value as object).trimEnd();
  if (!listed.has(key)) return JSON.stringify(value);
  const entries = Object.entries(value as object).map(([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`);
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}`;
}

/** The hash in the URLs of /openapi/v3: the sha512 of the bytes in upper-case hex, as upstream. */
export function documentHash(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

/** Keywords whose value is a schema, a map of schemas, or a list of schemas. */
const schemaKeywords = new Set(['items', 'additionalProperties', 'not']);
const schemaMaps = new Set(['properties', 'patternProperties', 'definitions']);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);

/** Rebuilds a schema from the leaves up: `change` receives each schema after its parts. */
export function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (schemaKeywords.has(keyword) && isSchema(value)) out[keyword] = mapSchema(value, change);
    else if (schemaMaps.has(keyword) && isSchema(value))
      out[keyword] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapSchema(part as Schema, change)]));
    else if (schemaLists.has(keyword) && Array.isArray(value)) out[keyword] = value.map((part) => mapSchema(part as Schema, change));
    else out[keyword] = value;
  }
  return change(out);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
