import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { openApiFormat } from '../open-api-formats.ts';
import { schemaSome } from './visit.ts';

/** The string formats of a schema that are not validated, once for each occurrence. The client gets a warning. */
export function unrecognizedFormats(schema: JsonSchema): string[] {
  const found: string[] = [];
  schemaSome(schema, ({ type, format }) => {
    if (type === 'string' && format && !openApiFormat(format)) found.push(format);
    return false;
  });
  return found;
}
