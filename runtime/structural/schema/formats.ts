import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { openApiFormat } from '../open-api-formats.ts';
import { schemaSome } from './visit.ts';

/** The formats of strings in a schema that nobody checks, each as often as it stands there; a client is warned of them. */
export function unrecognizedFormats(schema: JsonSchema): string[] {
  const found: string[] = [];
  schemaSome(schema, ({ type, format }) => {
    if (type === 'string' && format && !openApiFormat(format)) found.push(format);
    return false;
  });
  return found;
}
