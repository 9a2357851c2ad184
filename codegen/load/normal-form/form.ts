import type { GroupVersionKind, OpenApiDocument, Schema } from '../openapi.ts';

/**
 * The normal form of a set of OpenAPI v3 documents: facts only, each said once. `expand` gives back every document
 * without its prose (the descriptions of schemas, parameters and operations).
 *
 * - A component that several documents have is written in the document of its own group-version, or else in
 *   shared.json; the others borrow it by name.
 * - An operation is a shape (parameters, request body, responses: alike for hundreds of operations) and the types
 *   that fill it in.
 */
export const normalForm = 'kubeloom/1';

/** File name of the shared part, beside `api/` and `apis/`. */
export const sharedFile = 'shared.json';

export interface NormalDocument extends Omit<OpenApiDocument, 'paths' | 'components'> {
  readonly normalForm: typeof normalForm;
  readonly paths: Readonly<Record<string, NormalPathItem>>;
  /** Components written here. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Names of components written elsewhere; absent where they are just those that paths and schemas refer to. */
  readonly borrowed?: readonly string[];
  /** The tags of all operations that have none of their own. */
  readonly tags?: readonly string[];
  /** What `components` has besides schemas. */
  readonly components: Readonly<Record<string, unknown>>;
}

/** By HTTP method; `parameters` is the key of a list in SharedParts.parameterLists. */
export type NormalPathItem = Readonly<Record<string, NormalOperation | string>>;

export interface NormalOperation {
  readonly id?: string;
  /** `apps/v1/Deployment`, `/v1/Pod`. */
  readonly kind?: string;
  /** Where they are not the document's; null for none. */
  readonly tags?: readonly string[] | null;
  /** Key of a shape. */
  readonly shape: string;
  /** Component names for the `$1`, `$2`, ... of the shape. */
  readonly types?: readonly string[];
}

export interface SharedParts {
  readonly normalForm: typeof normalForm;
  /** `{name}` for path parameters, `?limit` for those of the query; `~2`, ... where one name has several meanings. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly parameterLists: Readonly<Record<string, readonly string[]>>;
  /** Operations without id and kind; `{"$ref": "$1"}` stands for the first type. */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export const refPrefix = '#/components/schemas/';
export const gvkKey = 'x-kubernetes-group-version-kind';

/** Every component name that a value refers to. */
export function refNames(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string' && item.startsWith(refPrefix))
      found.add(item.slice(refPrefix.length));
    else refNames(item, found);
  }
  return found;
}

/** All components that a value refers to, and those refer to, as far as `lookup` knows them. */
export function reachable(roots: unknown, lookup: (id: string) => Schema | undefined): Set<string> {
  const found = new Set<string>();
  const queue = [...refNames(roots)];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const schema = found.has(id) ? undefined : lookup(id);
    if (!schema) continue;
    found.add(id);
    queue.push(...refNames(schema));
  }
  return found;
}

export const kindText = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

export function kindOfText(text: string): GroupVersionKind {
  const [group, version, kind] = text.split('/');
  return { group, version, kind };
}
