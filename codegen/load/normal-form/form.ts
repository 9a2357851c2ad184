import type { GroupVersionKind, HttpMethod, OpenApiDocument, Schema } from '../openapi.ts';

/**
 * The normal form of a set of OpenAPI v3 documents: facts only, each stated once. `expandDocuments` restores every
 * document without Kubernetes' prose (the descriptions of schemas, parameters and operations).
 *
 * - A component of several documents is written in the document of its own group-version, or else in
 *   shared.json; the other documents borrow it by name.
 * - An operation is a shape (parameters, request body, responses: the same for hundreds of operations) and
 *   the types that fill it in.
 */
export const normalForm = 'kubeloom/1';

/** The file of the shared parts, beside `api/` and `apis/`. */
export const sharedFile = 'shared.json';

export interface NormalDocument extends Omit<OpenApiDocument, 'paths' | 'components'> {
  readonly normalForm: typeof normalForm;
  readonly paths: Readonly<Record<string, NormalPathItem>>;
  /** The components that this file has. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /**
   * The names of components in other files; absent if they are exactly the components that paths and schemas refer to.
   */
  readonly borrowed?: readonly string[];
  /** The tags of operations without tags. */
  readonly tags?: readonly string[];
  /** The other sections of `components`. */
  readonly components: Readonly<Record<string, unknown>>;
}

/** Operations by HTTP method. `parameters` is the key of a list in SharedParts.parameterLists. */
export type NormalPathItem = { readonly [method in HttpMethod]?: NormalOperation } & {
  readonly parameters?: string;
  readonly [extension: string]: unknown;
};

export interface NormalOperation {
  readonly id?: string;
  /** The group, version and kind: `apps/v1/Deployment`, `/v1/Pod`. */
  readonly kind?: string;
  /** Present if the tags differ from the document's; null for none. */
  readonly tags?: readonly string[] | null;
  /** The key of a shape. */
  readonly shape: string;
  /** The component names for the `$1`, `$2`, ... of the shape. */
  readonly types?: readonly string[];
}

export interface SharedParts {
  readonly normalForm: typeof normalForm;
  /**
   * Parameters by key: `{name}` for path parameters, `?limit` for query parameters. `~2`, ... distinguishes parameters
   * of one name.
   */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly parameterLists: Readonly<Record<string, readonly string[]>>;
  /** Operations without id and kind. `{"$ref": "$1"}` stands for the first type. */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

export const refPrefix = '#/components/schemas/';
export const gvkKey = 'x-kubernetes-group-version-kind';

/** Returns the names of all components that a value refers to. */
function refNames(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string' && item.startsWith(refPrefix)) found.add(item.slice(refPrefix.length));
    else refNames(item, found);
  }
  return found;
}

/** Returns all components that a value refers to, directly or through others, if `lookup` finds them. */
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
  const [group = '', version = '', kind = ''] = text.split('/');
  return { group, version, kind };
}
