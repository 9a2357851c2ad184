import { isObject } from '../load/json.ts';
import type { OpenApiDocument } from '../load/openapi.ts';
import { checkKeywords } from '../load/own/check.ts';
import { isKubernetes } from '../load/own/kubernetes.ts';
import { kubernetesSchemas } from '../load/package-schemas.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { ProblemList, SchemaErrors } from '../load/schema-errors.ts';
import { completeDocuments, groupVersionsOf } from './complete-documents.ts';
import { readDocumentFile } from './documents.ts';
import { readFolder, readProtoAndFacts } from './folder.ts';
import { addMissingTypes } from './missing-types.ts';
import type { ExtraFiles, ImportSource } from './source.ts';
import { isSwaggerDocument, openApiOfSwagger } from './swagger.ts';
import { lineFinder } from './text.ts';

/**
 * Reads one hand-written file with the schemas of kinds: OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0, JSON or YAML. Kinds are
 * the schemas with `x-kubernetes-group-version-kind`; completeDocuments adds what they lack.
 *
 * @throws ImportError if the file is not such a document, SchemaErrors for schemas that Kubernetes cannot honour
 */
export async function readOpenApiFile(file: string, extra: ExtraFiles = {}): Promise<ImportSource> {
  const { text, value } = await readDocumentFile(file);
  checkSchemas(value, file, text);
  const base = await readFolder(kubernetesSchemas);
  const documents = completeDocuments(openApiOf(value), file, base);
  const others = await readProtoAndFacts(extra);
  others.inputs.set('openapi.yaml', text);
  return addMissingTypes({ kind: 'file', documents, ...others }, base);
}

/** Whether a document is one as people write them: without paths of resources, or with the kinds of one group-version. */
export function isHandWritten(value: unknown): boolean {
  const { paths } = isObject(value) ? value : {};
  if (!Object.keys(isObject(paths) ? paths : {}).some(parseResourcePath)) return true;
  return !isSwaggerDocument(value) && groupVersionsOf(openApiOf(value)).length === 1;
}

const openApiOf = (value: unknown): Partial<OpenApiDocument> =>
  isSwaggerDocument(value) ? openApiOfSwagger(value) : (value as Partial<OpenApiDocument>);

/** Reports what schemas say and Kubernetes cannot honour, with its line. */
function checkSchemas(value: unknown, file: string, text: string): void {
  const document = value as { components?: { schemas?: unknown }; definitions?: unknown };
  const [schemas, at] = isSwaggerDocument(value)
    ? [document.definitions, ['definitions']]
    : [document.components?.schemas, ['components', 'schemas']];
  const problems = new ProblemList();
  for (const [name, schema] of Object.entries(isObject(schemas) ? schemas : {}))
    if (!isKubernetes(name)) checkKeywords(schema, file, [...at, name], problems);
  if (problems.isEmpty) return;
  const lineOf = lineFinder(text);
  throw new SchemaErrors(problems.map((problem, pointer) => ({ ...problem, file: `${file}:${lineOf(pointer)}` })));
}
