import { isObject } from '../load/json.ts';
import type { OpenApiDocument } from '../load/openapi.ts';
import { kubernetesSchemas } from '../load/package-schemas.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { ProblemList, SchemaErrors } from '../load/schema-errors.ts';
import { checkKeywords } from '../load/user-schemas/check.ts';
import { isKubernetes } from '../load/user-schemas/kubernetes.ts';
import { completeDocuments, groupVersionsOf } from './complete-documents.ts';
import { readDocumentFile } from './documents.ts';
import { readFolder, readProtoAndFacts } from './folder.ts';
import { checkKindReferences } from './kind-references.ts';
import { addMissingTypes } from './missing-types.ts';
import { componentKey, type ExtraFiles, type ImportSource } from './source.ts';
import { isSwaggerDocument, openApiOfSwagger } from './swagger.ts';
import { lineFinder } from './text.ts';

/**
 * Reads one hand-written file with the schemas of kinds: OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0, JSON or YAML. Kinds
 * are the schemas with `x-kubernetes-group-version-kind`. completeDocuments adds the parts that they lack.
 *
 * @throws ImportError if the file is not such a document, SchemaErrors for schemas that Kubernetes cannot honour
 */
export async function readOpenApiFile(file: string, extra: ExtraFiles = {}): Promise<ImportSource> {
  const { text, value } = await readDocumentFile(file);
  checkSchemas(value, file, text);
  const base = await readFolder(kubernetesSchemas);
  const [, at] = schemasOf(value);
  const components = new Map<string, readonly string[]>();
  const documents = completeDocuments(openApiOf(value), file, base, {
    onComponent: (document, id, name) => components.set(componentKey(document, id), [...at, name]),
  });
  const others = await readProtoAndFacts(extra);
  others.inputs.set('openapi.yaml', text);
  const origins = { ...others.origins, document: { path: file, text, components } };
  return addMissingTypes({ kind: 'file', documents, ...others, origins }, base);
}

/**
 * Reports whether a document is hand-written: it has no paths for the resources of its kinds, or the kinds of one
 * group-version only. Other paths, such as `/api/v1/applications` of a web server, do not count.
 */
export function isHandWritten(value: unknown): boolean {
  const { paths } = isObject(value) ? value : {};
  const places = Object.keys(isObject(paths) ? paths : {}).flatMap((path) => parseResourcePath(path) ?? []);
  if (places.length === 0) return true;
  const kinds = groupVersionsOf({ components: { schemas: schemasOf(value)[0] } } as Partial<OpenApiDocument>);
  const isTheirs = places.some(({ group, version }) => kinds.some((each) => each.group === group && each.version === version));
  if (kinds.length > 0 && !isTheirs) return true;
  return !isSwaggerDocument(value) && kinds.length === 1;
}

const openApiOf = (value: unknown): Partial<OpenApiDocument> =>
  isSwaggerDocument(value) ? openApiOfSwagger(value) : (value as Partial<OpenApiDocument>);

/** Returns the schemas of a document by name, and the parts of the pointer to them. */
function schemasOf(value: unknown): [schemas: Record<string, unknown>, at: readonly string[]] {
  const document = value as { components?: { schemas?: unknown }; definitions?: unknown };
  const [schemas, at] = isSwaggerDocument(value)
    ? [document.definitions, ['definitions']]
    : [document.components?.schemas, ['components', 'schemas']];
  return [isObject(schemas) ? schemas : {}, at];
}

/** Reports statements of schemas that Kubernetes cannot honour, with their lines. */
function checkSchemas(value: unknown, file: string, text: string): void {
  const [schemas, at] = schemasOf(value);
  const problems = new ProblemList();
  for (const [name, schema] of Object.entries(schemas)) {
    if (isKubernetes(name)) continue;
    checkKeywords(schema, file, [...at, name], problems);
    checkKindReferences(schema, schemas, file, [...at, name], problems);
  }
  if (problems.isEmpty) return;
  const lineOf = lineFinder(text);
  throw new SchemaErrors(problems.map((problem, pointer) => ({ ...problem, file: `${file}:${lineOf(pointer)}` })));
}
