import { httpMethods, type OpenApiDocument, type Operation, type Parameter, type PathItem, type Schema } from '../load/openapi.ts';
import type { Sources } from './sources.ts';
import { type Subject, Templates } from './templates.ts';

/** Returns the documents of a release, with the descriptions that the sources have. */
export function describeDocuments(documents: readonly OpenApiDocument[], sources: Sources): OpenApiDocument[] {
  const templates = templatesOf(documents, sources);
  return documents.map((document) => ({
    ...document,
    paths: mapValues(document.paths, (item, path) => describePath(item, path, sources, templates)),
    components: {
      ...document.components,
      schemas: mapValues(document.components?.schemas ?? {}, (schema, name) => describeSchema(schema, sources.schema(name))),
    },
  }));
}

/** Learns templates from all operations that have descriptions. */
export function templatesOf(documents: readonly OpenApiDocument[], sources: Sources): Templates {
  const templates = new Templates();
  for (const { paths } of documents) {
    for (const [path, item] of Object.entries(paths)) {
      for (const operation of operationsOf(item)) {
        const texts = sources.operation(operation);
        if (texts !== undefined) templates.learn(subjectOf(operation, path), texts);
      }
    }
  }
  return templates;
}

function describeSchema(schema: Schema, texts: ReadonlyMap<string, string>): Schema {
  const { properties } = schema;
  return {
    ...described(texts.get('')),
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (field, name) => ({ ...described(texts.get(name), field.enum), ...field })),
    }),
  };
}

function describePath(item: PathItem, path: string, sources: Sources, templates: Templates): PathItem {
  const out: { -readonly [key in keyof PathItem]: PathItem[key] } = { ...item };
  for (const method of httpMethods) {
    const operation = item[method];
    if (operation === undefined) continue;
    const subject = subjectOf(operation, path);
    const texts = sources.operation(operation);
    out[method] = {
      ...described(texts?.get('') ?? templates.operation(subject)),
      ...operation,
      ...(operation.parameters && {
        parameters: operation.parameters.map(describeParameter(subject, texts, templates)),
      }),
    };
  }
  const [first] = operationsOf(item);
  if (item.parameters && first) {
    out.parameters = item.parameters.map(describeParameter(subjectOf(first, path), sources.operation(first), templates));
  }
  return out;
}

const describeParameter =
  (subject: Subject, texts: ReadonlyMap<string, string> | undefined, templates: Templates) =>
  (parameter: Parameter): Parameter => ({
    ...described(texts?.get(parameter.name) ?? templates.parameter(subject, parameter.name)),
    ...parameter,
  });

const operationsOf = (item: PathItem): Operation[] => httpMethods.flatMap((method) => item[method] ?? []);

/** The path part after the name of an object is a subresource. */
function subjectOf(operation: Operation, path: string): Subject {
  const [, subresource = ''] = /\/\{name\}\/([^/]+)/.exec(path) ?? [];
  const kind = operation['x-kubernetes-group-version-kind']?.kind ?? '';
  return { action: operation['x-kubernetes-action'] ?? '', kind, subresource };
}

/**
 * @param values the values of an enum, listed at the end of the description. No package has the meaning of each
 *   value. (kube-openapi pkg/generators/enum.go)
 */
function described(text: string | undefined, values?: readonly unknown[]): { description?: string } {
  if (text === undefined) return {};
  if (values === undefined) return { description: text };
  return { description: [text, '', enumHeader, ...values.map((value) => ` - \`"${value}"\``)].join('\n') };
}

const enumHeader = 'Possible enum values:';

const mapValues = <T, U>(values: Readonly<Record<string, T>>, map: (value: T, key: string) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value, key)]));
