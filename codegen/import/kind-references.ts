import { isObject } from '../load/json.ts';
import type { ProblemList } from '../load/schema-errors.ts';
import { isKubernetes } from '../load/user-schemas/kubernetes.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/**
 * Reports references between kinds that no server can honour: a kind as a member of another, and metadata of another
 * type than ObjectMeta.
 */
export function checkKindReferences(
  schema: unknown,
  schemas: Readonly<Record<string, unknown>>,
  file: string,
  at: readonly string[],
  problems: ProblemList,
): void {
  const isList = isKind(schema) && isObject(schema.properties) && schema.properties.items !== undefined;
  const metadata = isKind(schema) && isObject(schema.properties) ? schema.properties.metadata : undefined;
  for (const { name, pointer } of references(metadata))
    if (name !== objectMeta && !(isList && name.endsWith('.ListMeta')))
      problems.add(
        file,
        [...at, 'properties', 'metadata', ...pointer],
        `the metadata of a kind is Kubernetes' ObjectMeta, not ${name}: leave it out`,
      );
  for (const { name, pointer } of isList ? [] : references(schema))
    if (!isKubernetes(name) && areTogether(schema, schemas[name], schemas))
      problems.add(
        file,
        [...at, ...pointer],
        `${name} is a kind, which cannot be a member of another schema: give its members a schema without x-kubernetes-group-version-kind`,
      );
}

const isKind = (schema: unknown): schema is Readonly<Record<string, unknown>> =>
  isObject(schema) && Array.isArray(schema['x-kubernetes-group-version-kind']);

/** Reports whether the second schema is a kind, and the first one belongs to the same version of its group. */
function areTogether(one: unknown, kind: unknown, schemas: Readonly<Record<string, unknown>>): boolean {
  const own = isKind(one) ? versionsOf(one) : Object.values(schemas).flatMap(versionsOf);
  const theirs = versionsOf(kind);
  return theirs.length > 0 && own.every((each) => theirs.includes(each));
}

/** Returns the group-versions of a kind as texts. */
const versionsOf = (schema: unknown): string[] =>
  isKind(schema)
    ? (schema['x-kubernetes-group-version-kind'] as { group?: string; version?: string }[]).map((gvk) => `${gvk?.group}/${gvk?.version}`)
    : [];

interface Reference {
  /** The name of the schema. */
  readonly name: string;
  readonly pointer: readonly string[];
}

/** Returns the schemas that a schema refers to. A member of `properties` may be called `$ref`. */
function references(value: unknown, pointer: readonly string[] = []): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  const isNamed = pointer.at(-1) === 'properties' && pointer.at(-2) !== 'properties';
  return Object.entries(value).flatMap(([key, member]) => {
    const name = key === '$ref' && !isNamed && typeof member === 'string' ? nameIn(member) : undefined;
    if (name !== undefined) return [{ name, pointer: [...pointer, key] }];
    return !isNamed && data.has(key) ? [] : references(member, [...pointer, key]);
  });
}

/** Keywords whose values are not schemas. */
const data: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'example', 'examples']);

const nameIn = (ref: string): string | undefined => /^#\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(ref)?.[1];
