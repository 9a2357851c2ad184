import { mapMembers } from '../json.ts';
import {
  type GroupVersionKind,
  httpMethods,
  isHttpMethod,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Schema,
} from '../openapi.ts';
import {
  gvkKey,
  kindText,
  type NormalDocument,
  type NormalOperation,
  type NormalPathItem,
  normalForm,
  reachable,
  refPrefix,
  type SharedParts,
  sharedFile,
} from './form.ts';
import { dropProse } from './prose.ts';
import { sortKeys } from './sort.ts';

/**
 * Folds documents, by file name (`apis/apps/v1.json`), into the normal form, including shared.json. The output does not
 * depend on the order of the input.
 */
export function foldDocuments(documents: ReadonlyMap<string, OpenApiDocument>): Map<string, NormalDocument | SharedParts> {
  const sorted = [...documents]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, document]): [string, OpenApiDocument] => [file, sortKeys(dropProse(file, document))]);
  const parts = new PartTable();
  const components = componentFiles(sorted);
  const folded = new Map<string, NormalDocument | SharedParts>();
  for (const [file, document] of sorted) folded.set(file, foldDocument(file, document, components, parts));
  folded.set(sharedFile, sortKeys({ normalForm, ...parts.tables(), schemas: Object.fromEntries(components.shared) }));
  return folded;
}

interface ComponentFiles {
  /** Returns the file of a component; undefined if documents differ in it: then each keeps its own. */
  fileOf(id: string): string | undefined;
  /** Returns a component as it is in the folded files; the first one if documents differ. */
  lookup(id: string): Schema | undefined;
  readonly shared: readonly [string, Schema][];
}

/** Assigns each component to the document of the group-version of its package's kinds. */
function componentFiles(documents: readonly (readonly [string, OpenApiDocument])[]): ComponentFiles {
  const users = new Map<string, { readonly files: string[]; readonly texts: Set<string>; readonly schema: Schema }>();
  const homeOfPackage = new Map<string, string>();
  for (const [file, document] of documents) {
    for (const [id, schema] of Object.entries(document.components?.schemas ?? {})) {
      const user = users.get(id) ?? { files: [], texts: new Set(), schema };
      users.set(id, user);
      user.files.push(file);
      user.texts.add(JSON.stringify(schema));
      const [kind, ...others] = schema[gvkKey] ?? [];
      if (kind && others.length === 0 && fileOfKind(kind) === file) homeOfPackage.set(packageOf(id), file);
    }
  }
  const files = new Map<string, string | undefined>();
  for (const [id, { files: having, texts }] of users) {
    const home = homeOfPackage.get(packageOf(id));
    if (texts.size > 1) files.set(id, undefined);
    else if (having.length === 1) files.set(id, having[0]);
    else files.set(id, home !== undefined && having.includes(home) && !isMachinery(id) ? home : sharedFile);
  }
  return {
    fileOf: (id) => files.get(id),
    lookup: (id) => users.get(id)?.schema,
    shared: [...users]
      .flatMap(([id, { schema }]) => (files.get(id) === sharedFile ? [[id, schema] as const] : []))
      .map(([id, schema]) => [id, schema]),
  };
}

const packageOf = (id: string): string => id.slice(0, Math.max(id.lastIndexOf('.'), 0));
const isMachinery = (id: string): boolean => id.startsWith('io.k8s.apimachinery.');
const fileOfKind = ({ group, version }: GroupVersionKind): string =>
  group === '' ? `api/${version}.json` : `apis/${group}/${version}.json`;

function foldDocument(file: string, document: OpenApiDocument, componentFiles: ComponentFiles, parts: PartTable): NormalDocument {
  const { paths, components, ...rest } = document;
  const { schemas = {}, ...otherComponents } = components ?? {};
  const isOwn = (id: string): boolean => [undefined, file].includes(componentFiles.fileOf(id));
  const own = Object.fromEntries(Object.entries(schemas).filter(([id]) => isOwn(id)));
  const borrowed = Object.keys(schemas).filter((id) => !isOwn(id));
  const implied = [...reachable([paths, own], componentFiles.lookup)].filter((id) => !Object.hasOwn(own, id)).sort();
  const tags = commonTags(paths ?? {});
  return sortKeys({
    ...rest,
    normalForm,
    ...(tags ? { tags } : {}),
    paths: Object.fromEntries(Object.entries(paths ?? {}).map(([path, item]) => [path, foldPathItem(item, tags, parts)])),
    schemas: own,
    ...(implied.join() === borrowed.join() ? {} : { borrowed }),
    components: otherComponents,
  });
}

/** Returns the tags of the first operation with tags. In Kubernetes' documents all operations have the same. */
function commonTags(paths: OpenApiDocument['paths']): readonly string[] | undefined {
  const operations = Object.values(paths).flatMap((item) => httpMethods.map((method) => item[method]));
  return operations.find((operation) => operation?.tags)?.tags;
}

function foldPathItem(item: PathItem, tags: readonly string[] | undefined, parts: PartTable): NormalPathItem {
  const folded: [string, unknown][] = [];
  for (const [key, value] of Object.entries(item)) {
    const operation = isHttpMethod(key) ? item[key] : undefined;
    if (operation) folded.push([key, foldOperation(operation, tags, parts)]);
    else if (key === 'parameters') folded.push([key, parts.parameterList(item.parameters ?? [])]);
    else folded.push([key, value]);
  }
  return Object.fromEntries(folded);
}

function foldOperation(operation: Operation, common: readonly string[] | undefined, parts: PartTable): NormalOperation {
  const { operationId, [gvkKey]: kind, parameters, tags, ...rest } = operation;
  const types: string[] = [];
  const shape = {
    ...withPlaceholders(rest, types),
    ...(parameters === undefined ? {} : { parameters: parts.parameterList(parameters) }),
  };
  return {
    ...(operationId !== undefined ? { id: operationId } : {}),
    ...(kind !== undefined ? { kind: kindText(kind) } : {}),
    ...(JSON.stringify(tags) !== JSON.stringify(common) ? { tags: tags ?? null } : {}),
    shape: parts.shape(rest['x-kubernetes-action'] ?? 'other', shape),
    ...(types.length > 0 ? { types } : {}),
  };
}

/**
 * Replaces references to components by `$1`, `$2`, ... and appends their names to `types`, in the order of first use.
 */
function withPlaceholders<T>(value: T, types: string[]): T {
  return mapMembers(value, (member, key) => {
    if (key !== '$ref' || typeof member !== 'string' || !member.startsWith(refPrefix)) return member;
    const name = member.slice(refPrefix.length);
    if (!types.includes(name)) types.push(name);
    return `$${types.indexOf(name) + 1}`;
  });
}

/** Gives equal parts the same key. Keys are numbered in the order of first use. */
class PartTable {
  readonly #parameters: Labelled<Parameter> = new Map();
  readonly #lists = new Map<string, { readonly key: string; readonly value: string[] }>();
  readonly #shapes: Labelled<Shape> = new Map();

  parameterList(parameters: readonly Parameter[]): string {
    const value = parameters.map((parameter) => this.#parameter(parameter));
    const text = JSON.stringify(value);
    const known = this.#lists.get(text) ?? { key: `p${this.#lists.size + 1}`, value };
    this.#lists.set(text, known);
    return known.key;
  }

  #parameter(parameter: Parameter): string {
    const name = parameter.name ?? String(parameter.$ref);
    const label = parameter.in === 'path' ? `{${name}}` : parameter.in === 'query' ? `?${name}` : name;
    return put(this.#parameters, label, parameter);
  }

  shape(label: string, shape: Shape): string {
    return put(this.#shapes, label, sortKeys(shape));
  }

  tables(): Omit<SharedParts, 'schemas' | 'normalForm'> {
    return {
      parameters: Object.fromEntries(flat(this.#parameters)),
      parameterLists: Object.fromEntries([...this.#lists.values()].map(({ key, value }) => [key, value])),
      shapes: Object.fromEntries(flat(this.#shapes)),
    };
  }
}

type Shape = Readonly<Record<string, unknown>>;

type Labelled<T> = Map<string, Map<string, T>>;

function put<T>(table: Labelled<T>, label: string, value: T): string {
  const variants = table.get(label) ?? new Map<string, T>();
  table.set(label, variants);
  const text = JSON.stringify(value);
  if (!variants.has(text)) variants.set(text, value);
  return variantKey(label, [...variants.keys()].indexOf(text));
}

const variantKey = (label: string, index: number): string => (index === 0 ? label : `${label}~${index + 1}`);

function flat<T>(table: Labelled<T>): [string, T][] {
  return [...table].flatMap(([label, variants]) =>
    [...variants.values()].map((value, index): [string, T] => [variantKey(label, index), value]),
  );
}
