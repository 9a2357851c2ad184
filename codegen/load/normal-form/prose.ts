import type { OpenApiDocument } from '../openapi.ts';

/** Receives each dropped text, with the parts of its JSON pointer. */
type Visit = (pointer: readonly string[], text: string) => void;

/**
 * Returns a document without Kubernetes' prose: the descriptions, titles and examples of schemas, parameters,
 * operations and security schemes. Properties called `description` are not prose. The descriptions of responses stay,
 * since OpenAPI requires them. In documents of custom groups, only Kubernetes' own schemas lose their prose.
 *
 * @param file as `apis/apps/v1.json`
 */
export function dropProse(file: string, document: OpenApiDocument, found?: Visit): OpenApiDocument {
  if (isOfKubernetes(file)) return strip(document, [], found) as OpenApiDocument;
  const { schemas, ...components } = document.components ?? {};
  if (schemas === undefined) return document;
  const own = Object.entries(schemas).map(([name, schema]) => [
    name,
    name.startsWith('io.k8s.') ? strip(schema, ['components', 'schemas', name], found) : schema,
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(own) } };
}

/** Groups without a dot, and groups that end in k8s.io, are Kubernetes' own. */
function isOfKubernetes(file: string): boolean {
  const [, group = ''] = /^apis\/([^/]+)\//.exec(file) ?? [];
  return !group.includes('.') || group.endsWith('.k8s.io');
}

const proseKeys = new Set(['description', 'title', 'example', 'externalDocs', 'summary']);
/** Objects whose keys are names, not keywords. */
const nameMaps = new Set(['properties', 'patternProperties', 'schemas', 'definitions', 'paths', 'responses', 'content', 'securitySchemes']);
/** Keywords whose values are data. */
const dataKeys = new Set(['default', 'enum', 'x-kubernetes-group-version-kind']);

function strip(value: unknown, pointer: readonly string[], found: Visit | undefined): unknown {
  if (Array.isArray(value)) return value.map((item, index) => strip(item, [...pointer, `${index}`], found));
  if (typeof value !== 'object' || value === null) return value;
  const named = isNameMap(pointer);
  const inResponse = pointer.at(-2) === 'responses' && pointer.at(-3) !== 'properties';
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const isProse = !named && proseKeys.has(key) && !inResponse && pointer.at(-1) !== 'info';
    if (isProse) {
      if (typeof item === 'string') found?.([...pointer, key], item);
      return [];
    }
    return [[key, !named && dataKeys.has(key) ? item : strip(item, [...pointer, key], found)]];
  });
  return Object.fromEntries(entries);
}

/**
 * Reports whether the keys of an object are names. They are not if the object's own key is a name: a property called
 * `properties` holds a schema.
 */
function isNameMap(pointer: readonly string[]): boolean {
  let named = false;
  for (const part of pointer) named = !named && nameMaps.has(part);
  return named;
}
