import { isObject, mapMembers } from '../json.ts';
import { isHttpMethod, type OpenApiDocument, type Schema } from '../openapi.ts';
import {
  gvkKey,
  kindOfText,
  type NormalDocument,
  type NormalOperation,
  normalForm,
  reachable,
  refPrefix,
  type SharedParts,
  sharedFile,
} from './form.ts';
import { sortKeys } from './sort.ts';

/**
 * Returns the full documents of an openapi folder by file name. Documents outside the normal form stay unchanged.
 *
 * @throws Error if a document names a part or component that no file has
 */
export function expandDocuments(files: ReadonlyMap<string, unknown>): Map<string, OpenApiDocument> {
  const shared = files.get(sharedFile) as SharedParts | undefined;
  const schemas = new Map<string, Schema>();
  for (const file of files.values()) {
    if (!isNormal(file)) continue;
    for (const [id, schema] of Object.entries(file.schemas ?? {})) if (!schemas.has(id)) schemas.set(id, schema);
  }
  const documents = new Map<string, OpenApiDocument>();
  for (const [name, file] of files) {
    if (name === sharedFile) continue;
    documents.set(name, isNormal(file) ? expandDocument(name, file, shared, schemas) : (file as OpenApiDocument));
  }
  return documents;
}

function isNormal(file: unknown): file is NormalDocument {
  return (file as { normalForm?: unknown } | null)?.normalForm === normalForm;
}

function expandDocument(
  name: string,
  document: NormalDocument,
  shared: SharedParts | undefined,
  lent: ReadonlyMap<string, Schema>,
): OpenApiDocument {
  const faulty = [document.paths, document.schemas, document.components].some((part) => !isObject(part));
  if (faulty) throw new Error(`${name} lacks paths, schemas or components`);
  const { normalForm: _, paths, schemas, borrowed, tags, components, ...rest } = document;
  const expander = new PathExpander(name, shared, tags);
  const expanded = Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, expander.item(item)]));
  const lookup = (id: string): Schema | undefined => (Object.hasOwn(schemas, id) ? schemas[id] : lent.get(id));
  const names = borrowed ?? [...reachable([expanded, schemas], lookup)].filter((id) => !Object.hasOwn(schemas, id));
  const elsewhere = names.map((id): [string, Schema] => {
    const schema = lent.get(id);
    if (!schema) throw new Error(`${name} borrows the component ${id}, which no file has`);
    return [id, schema];
  });
  // the rest of a normal document has the other members
  return sortKeys<Partial<OpenApiDocument>>({
    ...rest,
    components: { ...components, schemas: { ...schemas, ...Object.fromEntries(elsewhere) } },
    paths: expanded,
  }) as OpenApiDocument;
}

class PathExpander {
  readonly #file: string;
  readonly #shared: SharedParts | undefined;
  readonly #tags: readonly string[] | undefined;

  constructor(file: string, shared: SharedParts | undefined, tags: readonly string[] | undefined) {
    this.#file = file;
    this.#shared = shared;
    this.#tags = tags;
  }

  item(item: NormalDocument['paths'][string]): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(item).map(([key, value]): [string, unknown] => {
        const operation = isHttpMethod(key) ? item[key] : undefined;
        if (operation) return [key, this.#operation(operation)];
        return [key, key === 'parameters' ? this.#parameters(String(value)) : value];
      }),
    );
  }

  #operation({ id, kind, shape, types = [], tags = this.#tags }: NormalOperation): Record<string, unknown> {
    const { parameters, ...parts } = this.#part('shapes', this.#shared?.shapes, shape);
    return {
      ...filled(parts, types),
      ...(id !== undefined ? { operationId: id } : {}),
      ...(kind !== undefined ? { [gvkKey]: kindOfText(kind) } : {}),
      ...(tags ? { tags } : {}),
      ...(typeof parameters === 'string' ? { parameters: this.#parameters(parameters) } : {}),
    };
  }

  #parameters(list: string): unknown[] {
    const keys = this.#part('parameterLists', this.#shared?.parameterLists, list);
    return keys.map((key) => this.#part('parameters', this.#shared?.parameters, key));
  }

  #part<T>(table: string, parts: Readonly<Record<string, T>> | undefined, key: string): T {
    const part = parts && Object.hasOwn(parts, key) ? parts[key] : undefined;
    if (part === undefined) throw new Error(`${this.#file} names ${table} ${key}, which ${sharedFile} lacks`);
    return part;
  }
}

/** Fills the placeholders of a shape with types. */
function filled<T>(shape: T, types: readonly string[]): T {
  return mapMembers(shape, (member, key) => {
    const place = key === '$ref' && typeof member === 'string' ? /^\$(\d+)$/.exec(member) : null;
    return place ? refPrefix + types[Number(place[1]) - 1] : member;
  });
}
