import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import type { Templates } from './templates.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The text of the file that runtime/machinery/descriptions reads: a name and its texts as JSON in each line. */
export function descriptionsText(documents: readonly OpenApiDocument[], templates: Templates): string {
  const lines = new Map<string, Readonly<Record<string, string>>>();
  for (const { components } of documents) {
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) lines.set(name, textsOf(schema));
  }
  // types without a schema, whose fields every object has, or a list
  const { apiVersion, kind, metadata } = lines.get('io.k8s.api.core.v1.Pod') ?? {};
  lines.set(`${meta}.TypeMeta`, { apiVersion, kind });
  lines.set(`${meta}.PartialObjectMetadata`, { apiVersion, kind, metadata });
  lines.set('#operations', templates.operations);
  lines.set('#parameters', templates.parameters);
  return `\n${[...lines].map(([name, texts]) => `${name}\t${JSON.stringify(texts)}\n`).join('')}`;
}

function textsOf({ description, properties = {} }: Schema): Record<string, string> {
  const texts: Record<string, string> = description === undefined ? {} : { '': description };
  for (const [name, field] of Object.entries(properties)) {
    if (field.description !== undefined) texts[name] = field.description;
  }
  return texts;
}
