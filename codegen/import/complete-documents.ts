import { isObject, mapMembers } from '../load/json.ts';
import { reachable, refPrefix } from '../load/normal-form/form.ts';
import type { GroupVersionKind, OpenApiDocument, PathItem, Schema } from '../load/openapi.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { documentFault } from '../load/schemas-folder.ts';
import { inKubernetesDialect } from '../load/user-schemas/dialect.ts';
import { notesKey } from '../load/user-schemas/keywords.ts';
import { isKubernetes } from '../load/user-schemas/kubernetes.ts';
import type { VerbName } from '../model/model.ts';
import { pascalCase } from '../model/names.ts';
import { ImportError, type ImportSource } from './source.ts';
import { type KindDeclaration, standardPaths } from './standard-paths.ts';

/** The settings of a resource in the `x-kubeloom-resource` of its kind's schema. */
interface ResourceNotes {
  /** Default: the plural of the kind, in lower case. */
  readonly plural?: string;
  /** Default: Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Default: `status` if the schema has a `status`. */
  readonly subresources?: readonly ('status' | 'scale')[];
  /** For a review: `[create]`. Default: all. */
  readonly verbs?: readonly VerbName[];
}

interface CompletionOptions {
  /** The ids of components are complete already, as for messages. */
  readonly keepIds?: boolean;
  /** Called with each component: its file, its id there, and its name in the document. */
  readonly onComponent?: (file: string, id: string, name: string) => void;
}

type Schemas = Readonly<Record<string, Schema>>;
type GroupVersion = Pick<GroupVersionKind, 'group' | 'version'>;

/**
 * Completes a document that has only the schemas of kinds: makes one document for each group-version. Every kind gets
 * apiVersion, kind and metadata, the list kind, and paths if the document has none. Components get ids with their group
 * and version, as in Kubernetes' documents (`Robot` becomes `com.example.factory.v1.Robot`).
 *
 * @param file for error messages
 * @param base Kubernetes' own schemas
 * @returns the documents by file name: `apis/factory.example.com/v1.json`
 */
export function completeDocuments(
  read: Partial<OpenApiDocument>,
  file: string,
  base: ImportSource,
  { keepIds = false, onComponent }: CompletionOptions = {},
): ReadonlyMap<string, OpenApiDocument> {
  const given = { ...read, paths: read?.paths ?? {} } as OpenApiDocument;
  const fault = documentFault(given);
  if (fault !== undefined) throw new ImportError(`${file} ${fault}`);
  const apps = base.documents.get('apis/apps/v1.json') as OpenApiDocument;
  return new Map(
    checkedGroupVersions(given, file).map((groupVersion) => {
      const name = `apis/${groupVersion.group}/${groupVersion.version}.json`;
      const document = ofGroupVersion(given, groupVersion, {
        keepIds,
        onComponent: (id, written) => onComponent?.(name, id, written),
      });
      return [name, completed(document, groupVersion, apps, file)];
    }),
  );
}

const gvksOf = (schema: Schema): readonly GroupVersionKind[] => schema['x-kubernetes-group-version-kind'] ?? [];
const textOf = ({ group, version }: GroupVersion): string => `${group}/${version}`;
const prefixOf = ({ group, version }: GroupVersion): string => `${group.split('.').reverse().join('.')}.${version}`;

/** Returns the group-versions of the kinds of a document. */
export function groupVersionsOf({ components }: Partial<OpenApiDocument>): GroupVersion[] {
  const found = new Map<string, GroupVersion>();
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    if (isKubernetes(name)) continue;
    for (const { group, version } of gvksOf(schema)) found.set(textOf({ group, version }), { group, version });
  }
  return [...found.values()];
}

function checkedGroupVersions(document: OpenApiDocument, file: string): GroupVersion[] {
  const found = groupVersionsOf(document);
  if (found.length === 0) {
    throw new ImportError(
      `${file} has no kinds: it lacks x-kubernetes-group-version-kind; add it to the schema of each kind, as ` +
        'x-kubernetes-group-version-kind: [{ group: shop.example.com, version: v1, kind: Order }]',
    );
  }
  for (const { group, version } of found) {
    if (group === '') throw new ImportError(`${file} has kinds of the core group, which is Kubernetes' own`);
    if (!isName(group, 253) || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(version))
      throw new ImportError(`${file} has kinds of ${group}/${version}, which is no group and version`);
  }
  return found;
}

const isName = (group: string, maxLength: number): boolean =>
  group.length <= maxLength && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(group);

/** Returns the kinds of one group-version and the components that they refer to, under complete ids. */
function ofGroupVersion(
  document: OpenApiDocument,
  groupVersion: GroupVersion,
  { keepIds, onComponent }: { keepIds: boolean; onComponent: (id: string, name: string) => void },
): OpenApiDocument {
  const schemas = document.components?.schemas ?? {};
  const ids = keepIds ? { of: (name: string) => name } : new ComponentIds(schemas, groupVersion);
  const kinds = Object.entries(schemas).flatMap(([name, schema]) =>
    gvksOf(schema).some((gvk) => textOf(gvk) === textOf(groupVersion)) ? [name] : [],
  );
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => {
      const place = parseResourcePath(path);
      return place !== undefined && textOf(place) === textOf(groupVersion);
    }),
  );
  const refs = kinds.map((name) => ({ $ref: `${refPrefix}${name}` }));
  const used = [...reachable([refs, paths], (id) => (Object.hasOwn(schemas, id) ? schemas[id] : undefined))].sort();
  for (const name of used) onComponent(ids.of(name), name);
  const rename = <T>(value: T): T =>
    mapMembers(value, (member, key) =>
      key === '$ref' && typeof member === 'string' && member.startsWith(refPrefix)
        ? `${refPrefix}${ids.of(member.slice(refPrefix.length))}`
        : member,
    );
  return {
    ...document,
    openapi: '3.0.0',
    paths: rename(paths),
    components: {
      ...document.components,
      schemas: Object.fromEntries(
        used.map((name) => {
          const schema = schemas[name] ?? {};
          return [ids.of(name), isKubernetes(name) ? schema : rename(inKubernetesDialect(schema))];
        }),
      ),
    },
  };
}

/** The ids of components. Components keep their ids if their package has only this group-version. */
class ComponentIds {
  readonly #ids = new Map<string, string>();
  readonly #taken: Set<string>;

  constructor(schemas: Schemas, groupVersion: GroupVersion) {
    this.#taken = new Set(Object.keys(schemas));
    const packages = new Map<string, Set<string>>();
    for (const [name, schema] of Object.entries(schemas)) {
      const known = packages.get(packageOf(name)) ?? new Set();
      packages.set(packageOf(name), known);
      for (const gvk of gvksOf(schema)) known.add(textOf(gvk));
    }
    const keepsName = (name: string): boolean => {
      const users = packages.get(packageOf(name)) ?? new Set();
      return isKubernetes(name) || (packageOf(name) !== '' && users.size === 1 && users.has(textOf(groupVersion)));
    };
    const lists = new Set<string>();
    for (const [name, schema] of Object.entries(schemas)) {
      const [gvk] = gvksOf(schema);
      if (gvk === undefined || isKubernetes(name) || isList(schema)) continue;
      const id = keepsName(name) ? name : this.#free(prefixOf(gvk), name);
      this.#ids.set(name, id);
      // paths find the list of a kind by this id
      const list = Object.entries(schemas).find(([, other]) => isListOf(other, gvk))?.[0];
      if (list !== undefined) this.#ids.set(list, `${id}List`);
      this.#taken.add(`${id}List`);
      lists.add(`${id}List`);
    }
    for (const name of Object.keys(schemas)) {
      if (this.#ids.has(name)) continue;
      const isKept = keepsName(name) && !lists.has(name);
      this.#ids.set(name, isKept ? name : this.#free(prefixOf(groupVersion), name));
    }
  }

  of(name: string): string {
    return this.#ids.get(name) ?? name;
  }

  /** Returns an id that no other component has. */
  #free(prefix: string, name: string): string {
    const last = name.slice(name.lastIndexOf('.') + 1);
    let id = `${prefix}.${last}`;
    for (let number = 1; this.#taken.has(id); number++) id = `${prefix}.${pascalCase(name)}${number === 1 ? '' : number}`;
    this.#taken.add(id);
    return id;
  }
}

/** Reports whether the schema of a kind is that of a list. */
const isList = (schema: Schema): boolean => gvksOf(schema)[0]?.kind.endsWith('List') === true && schema.properties?.items !== undefined;

const isListOf = (schema: Schema, gvk: GroupVersionKind): boolean =>
  isList(schema) && gvksOf(schema).some((own) => textOf(own) === textOf(gvk) && own.kind === `${gvk.kind}List`);

const packageOf = (name: string): string => name.slice(0, Math.max(name.lastIndexOf('.'), 0));

function completed(document: OpenApiDocument, groupVersion: GroupVersion, apps: OpenApiDocument, file: string): OpenApiDocument {
  const kinds = kindsOf(document);
  const schemas = {
    ...document.components?.schemas,
    ...Object.fromEntries(kinds.flatMap((kind) => kindSchemas(kind, document))),
  };
  const served = kinds.filter((kind) => textOf(kind) === textOf(groupVersion));
  checkNames(served, file);
  const paths = Object.keys(document.paths).length > 0 ? document.paths : standardPaths(served, apps);
  return { ...document, paths: paths as Record<string, PathItem>, components: { ...document.components, schemas } };
}

function kindsOf(document: OpenApiDocument): KindDeclaration[] {
  return Object.entries(document.components?.schemas ?? {}).flatMap(([component, schema]) => {
    const [gvk] = gvksOf(schema);
    if (gvk === undefined || isKubernetes(component)) return [];
    if (isList(schema)) return [];
    const notes = ((schema as Record<string, unknown>)[notesKey] ?? {}) as ResourceNotes;
    return [
      {
        ...gvk,
        component,
        plural: notes.plural ?? pluralOf(gvk.kind.toLowerCase()),
        namespaced: notes.scope !== 'Cluster',
        subresources: notes.subresources ?? (schema.properties?.status === undefined ? [] : ['status']),
        verbs: notes.verbs,
      },
    ];
  });
}

/** (apiextensions pkg/apis/apiextensions/validation ValidateCustomResourceDefinitionNames) */
function checkNames(kinds: readonly KindDeclaration[], file: string): void {
  const byPlural = new Map<string, string>();
  for (const { kind, plural } of kinds) {
    for (const name of [kind.toLowerCase(), plural])
      if (!/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
        throw new ImportError(`${file} has the kind ${kind} with the plural ${plural}: ${name} is no DNS label`);
    const other = byPlural.get(plural);
    if (other !== undefined) throw new ImportError(`${file} has two kinds with the plural ${plural}: ${other} and ${kind}`);
    byPlural.set(plural, kind);
  }
}

function pluralOf(singular: string): string {
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

const meta = (kind: string): object => ({
  allOf: [{ $ref: `${refPrefix}io.k8s.apimachinery.pkg.apis.meta.v1.${kind}` }],
  default: {},
});

/** Returns the schemas of a kind and its list, with the members that every kind has. */
function kindSchemas({ component, group, version, kind }: KindDeclaration, document: OpenApiDocument): [string, Schema][] {
  const { [notesKey]: _, ...schema } = (document.components?.schemas?.[component] ?? {}) as Record<string, unknown>;
  const typeMeta = { apiVersion: { type: 'string' }, kind: { type: 'string' } };
  const listId = `${component}List`;
  const list = document.components?.schemas?.[listId] ?? {
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
      items: { type: 'array', items: { allOf: [{ $ref: `${refPrefix}${component}` }], default: {} } },
      metadata: meta('ListMeta'),
    },
    'x-kubernetes-group-version-kind': [{ group, kind: `${kind}List`, version }],
  };
  const own = isObject(schema.properties) ? schema.properties : {};
  const properties = { ...typeMeta, metadata: meta('ObjectMeta'), ...own };
  return [
    [component, { type: 'object', ...schema, properties } as Schema],
    [listId, list as Schema],
  ];
}
