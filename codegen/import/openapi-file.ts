import { fileURLToPath } from 'node:url';
import { mapMembers } from '../load/json.ts';
import { refPrefix } from '../load/normal-form/form.ts';
import type { OpenApiDocument, PathItem, Schema } from '../load/openapi.ts';
import { parseResourcePath } from '../load/resource-paths.ts';
import { documentFault } from '../load/schemas-folder.ts';
import { readDocumentFile } from './documents.ts';
import { readFolder, readProtoAndFacts } from './folder.ts';
import { addMissingTypes } from './missing-types.ts';
import { type ExtraFiles, ImportError, type ImportSource } from './source.ts';
import { type KindDeclaration, standardPaths } from './standard-paths.ts';

/**
 * Kubernetes' schemas, which this package ships: the source of ObjectMeta and other shared types, and of the shape of
 * paths.
 */
export const kubernetesSchemas = fileURLToPath(new URL('../../schemas/kubernetes/v1.35', import.meta.url));

/** The settings of a resource in the `x-kubeloom-resource` of its kind's schema. */
interface ResourceNotes {
  /** Default: the plural of the kind, in lower case. */
  readonly plural?: string;
  /** Default: Namespaced. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Default: `status` if the schema has a `status`. */
  readonly subresources?: readonly ('status' | 'scale')[];
}

const notesKey = 'x-kubeloom-resource';

/**
 * Reads one hand-written OpenAPI v3 file, JSON or YAML, with the schemas of one group-version. Kinds are the components
 * with `x-kubernetes-group-version-kind`. What every kind has is added: apiVersion, kind and metadata, the list kind,
 * and the paths if the file has none. Components may have short names (`Robot` for `com.example.factory.v1.Robot`).
 *
 * @throws ImportError if the file is not such a document
 */
export async function readOpenApiFile(file: string, extra: ExtraFiles = {}): Promise<ImportSource> {
  const { text, value } = await readDocumentFile(file);
  const base = await readFolder(kubernetesSchemas);
  const [name, document] = completeDocument(value as Partial<OpenApiDocument>, file, base);
  const others = await readProtoAndFacts(extra);
  others.inputs.set('openapi.yaml', text);
  return addMissingTypes({ kind: 'file', documents: new Map([[name, document]]), ...others }, base);
}

/**
 * Returns the file name and the complete document for a document that has only the schemas of kinds.
 *
 * @param file for error messages
 * @param base Kubernetes' own schemas
 */
export function completeDocument(
  read: Partial<OpenApiDocument>,
  file: string,
  base: ImportSource,
): [string, OpenApiDocument] {
  const given = { ...read, paths: read?.paths ?? {} } as OpenApiDocument;
  const fault = documentFault(given);
  if (fault !== undefined) throw new ImportError(`${file} ${fault}`);
  const { group, version } = groupVersionOf(given, file);
  const document = withFullIds(given, `${group.split('.').reverse().join('.')}.${version}`);
  const kinds = kindsOf(document);
  const schemas = {
    ...document.components?.schemas,
    ...Object.fromEntries(kinds.flatMap((kind) => kindSchemas(kind, document))),
  };
  const apps = base.documents.get('apis/apps/v1.json') as OpenApiDocument;
  const paths = Object.keys(document.paths ?? {}).some(parseResourcePath) ? document.paths : standardPaths(kinds, apps);
  return [
    `apis/${group}/${version}.json`,
    { ...document, paths: paths as Record<string, PathItem>, components: { ...document.components, schemas } },
  ];
}

function groupVersionOf(document: OpenApiDocument, file: string): { group: string; version: string } {
  const names = groupVersionsOf(document);
  if (names.length === 0) throw new ImportError(`${file} has no component with x-kubernetes-group-version-kind`);
  if (names.length > 1)
    throw new ImportError(`${file} has kinds of ${names.join(' and ')}; one file, one group-version`);
  const [group, version] = names[0].split('/');
  if (group === '') throw new ImportError(`${file} has kinds of the core group, which is Kubernetes' own`);
  return { group, version };
}

/** The group-versions of the kinds of a document, as `apps/v1`. */
export function groupVersionsOf(document: Partial<OpenApiDocument>): string[] {
  const found = Object.values(document.components?.schemas ?? {}).flatMap(gvksOf);
  return [...new Set(found.map(({ group, version }) => `${group}/${version}`))];
}

const gvksOf = (schema: Schema): readonly { group: string; version: string; kind: string }[] =>
  schema['x-kubernetes-group-version-kind'] ?? [];

/** Gives every component an id with its group and version, as Kubernetes' ids have. */
function withFullIds(document: OpenApiDocument, prefix: string): OpenApiDocument {
  const short = Object.keys(document.components?.schemas ?? {}).filter((name) => !name.includes('.'));
  const long = (name: string): string => (short.includes(name) ? `${prefix}.${name}` : name);
  const renamed = mapMembers(document, (member, key) =>
    key === '$ref' && typeof member === 'string' && member.startsWith(refPrefix)
      ? `${refPrefix}${long(member.slice(refPrefix.length))}`
      : member,
  );
  const schemas = Object.entries(renamed.components?.schemas ?? {}).map(
    ([name, schema]) => [long(name), schema] as const,
  );
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(schemas) } };
}

function kindsOf(document: OpenApiDocument): KindDeclaration[] {
  return Object.entries(document.components?.schemas ?? {}).flatMap(([component, schema]) => {
    const [gvk] = gvksOf(schema);
    if (gvk === undefined || gvk.kind.endsWith('List')) return [];
    const notes = ((schema as Record<string, unknown>)[notesKey] ?? {}) as ResourceNotes;
    return [
      {
        ...gvk,
        component,
        plural: notes.plural ?? pluralOf(gvk.kind.toLowerCase()),
        namespaced: notes.scope !== 'Cluster',
        subresources: notes.subresources ?? (schema.properties?.status === undefined ? [] : ['status']),
      },
    ];
  });
}

function pluralOf(singular: string): string {
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

const meta = (kind: string): object => ({
  allOf: [{ $ref: `#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.${kind}` }],
  default: {},
});

/** The schemas of a kind and its list, with the members that every kind has. */
function kindSchemas(
  { component, group, version, kind }: KindDeclaration,
  document: OpenApiDocument,
): [string, Schema][] {
  const { [notesKey]: _, ...schema } = (document.components?.schemas?.[component] ?? {}) as Record<string, unknown>;
  const typeMeta = { apiVersion: { type: 'string' }, kind: { type: 'string' } };
  const listId = `${component}List`;
  const list = document.components?.schemas?.[listId] ?? {
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta,
      items: { type: 'array', items: { allOf: [{ $ref: `#/components/schemas/${component}` }], default: {} } },
      metadata: meta('ListMeta'),
    },
    'x-kubernetes-group-version-kind': [{ group, kind: `${kind}List`, version }],
  };
  const properties = { ...typeMeta, metadata: meta('ObjectMeta'), ...(schema.properties as object) };
  return [
    [component, { type: 'object', ...schema, properties } as Schema],
    [listId, list as Schema],
  ];
}
