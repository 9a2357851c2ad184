import {
  astToString,
  type GlobalContext,
  type ReferenceObject,
  type SchemaObject,
  transformSchemaObject,
} from 'openapi-typescript';
import ts from 'typescript';
import type { ApiModel, FieldModel, GroupVersionModel, SpecialName, TypeModel, TypeRef } from '../model/model.ts';
import { folderAlias } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { siblingPath } from '../print/imports.ts';
import { importDefinitions } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';

type Schema = SchemaObject | ReferenceObject;

/** Schemas of the types that write themselves; names are those of runtime/machinery/object.ts. */
const specialSchemas: Readonly<Record<SpecialName, Schema>> = {
  Quantity: { type: 'string' },
  IntOrString: { type: ['integer', 'string'] },
  Time: { type: 'string' },
  MicroTime: { type: 'string' },
  Duration: { type: 'string' },
  RawExtension: { $ref: '#/JsonObject' },
  FieldsV1: { $ref: '#/JsonObject' },
  JSON: { $ref: '#/Json' },
  JSONSchemaPropsOrBool: { $ref: '#/Json' },
  JSONSchemaPropsOrArray: { $ref: '#/Json' },
  JSONSchemaPropsOrStringArray: { $ref: '#/Json' },
  Verbs: { type: 'array', items: { type: 'string' } },
  Unknown: { $ref: '#/Json' },
};

/**
 * The TypeScript interfaces of one group-version, one a type, written by openapi-typescript. Types of other
 * group-versions are reached through `import type * as`, as `metav1.ObjectMeta`.
 *
 * Enumerations stay open (`'TCP' | 'UDP' | (string & {})`): a newer server may know more values.
 */
export function emitTypes(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const refs = new References(groupVersion, model);
  const stored = storedTypes(groupVersion);
  const nodes = groupVersion.types.map((type) => interfaceOf(type, stored.has(type.id), refs));
  const body = nodes.length === 0 ? 'export {};\n' : nodes.map((node) => astToString(node)).join('\n');
  return `${context.header}${refs.imports(context.runtime)}\n${body}`;
}

/** Ids of the types whose metadata the server always fills in: those of stored resources and of their lists. */
function storedTypes({ resources, types }: GroupVersionModel): ReadonlySet<string> {
  const stored = resources.filter((resource) => resource.stored);
  const lists = new Set(stored.map((resource) => resource.listKind));
  return new Set([
    ...stored.map((resource) => resource.type),
    ...types.filter((type) => lists.has(type.name)).map((type) => type.id),
  ]);
}

function interfaceOf(type: TypeModel, stored: boolean, refs: References): ts.Node {
  const literal = transformSchemaObject(objectSchema(type, stored, refs), {
    path: `#/${type.name}`,
    ctx: transformContext,
  });
  const members = ts.isTypeLiteralNode(literal) ? literal.members : undefined;
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return members
    ? ts.factory.createInterfaceDeclaration(exported, type.name, undefined, undefined, members)
    : ts.factory.createTypeAliasDeclaration(exported, type.name, undefined, literal);
}

function objectSchema(type: TypeModel, stored: boolean, refs: References): SchemaObject {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  if (type.gvk && !type.fields.some((field) => field.json === 'apiVersion')) {
    properties.apiVersion = { type: 'string' };
    properties.kind = { type: 'string' };
  }
  for (const field of type.fields) {
    if (Object.hasOwn(properties, field.json)) continue;
    properties[field.json] = fieldSchema(field, refs);
    if (field.required || (stored && field.json === 'metadata')) required.push(field.json);
  }
  return { type: 'object', properties, required };
}

function fieldSchema(field: FieldModel, refs: References): Schema {
  if (field.enum && field.enum.length > 0 && isString(field.type)) return openEnum(field.enum);
  if (field.enum && field.enum.length > 0 && field.type.kind === 'list' && isString(field.type.of))
    return { type: 'array', items: openEnum(field.enum) };
  return refSchema(field.type, refs);
}

const isString = (ref: TypeRef): boolean => ref.kind === 'scalar' && ref.name === 'string';

const openEnum = (values: readonly string[]): SchemaObject => ({ type: 'string', 'x-open-enum': values });

function refSchema(ref: TypeRef, refs: References): Schema {
  switch (ref.kind) {
    case 'scalar':
      return scalarSchema(ref.name);
    case 'special':
      return refs.special(specialSchemas[ref.name]);
    case 'message':
      return { $ref: `#/${refs.nameOf(typeById(refs.model, ref.id))}` };
    case 'list':
      return { type: 'array', items: refSchema(ref.of, refs) };
    case 'map':
      return { type: 'object', additionalProperties: refSchema(ref.of, refs) };
  }
}

function scalarSchema(name: string): SchemaObject {
  if (name === 'bool') return { type: 'boolean' };
  return name === 'string' || name === 'bytes' ? { type: 'string' } : { type: 'number' };
}

/** Notes what a file needs from elsewhere. */
class References {
  readonly model: ApiModel;
  readonly #groupVersion: GroupVersionModel;
  readonly #folders = new Map<string, string>();
  readonly #machinery = new Set<'Json' | 'JsonObject'>();

  constructor(groupVersion: GroupVersionModel, model: ApiModel) {
    this.#groupVersion = groupVersion;
    this.model = model;
  }

  nameOf(type: TypeModel): string {
    if (type.folder === this.#groupVersion.folder) return type.name;
    const alias = folderAlias(type.folder, this.model);
    this.#folders.set(alias, type.folder);
    return `${alias}.${type.name}`;
  }

  special(schema: Schema): Schema {
    if ('$ref' in schema) this.#machinery.add(schema.$ref.slice(2) as 'Json' | 'JsonObject');
    return schema;
  }

  imports(runtime: string): string {
    const lines = [...this.#folders].sort().map(([alias, folder]) => {
      return `import type * as ${alias} from '${siblingPath(this.#groupVersion.folder, folder, 'types.ts')}';\n`;
    });
    const names = [...this.#machinery].map((name): `type ${typeof name}` => `type ${name}`);
    lines.push(importDefinitions(runtime, 'machinery/object.ts', names));
    return lines.join('');
  }
}

/** openapi-typescript's options, resolved: everything at its default but what `transform` answers. */
const transformContext: GlobalContext = {
  additionalProperties: false,
  alphabetize: false,
  arrayLength: false,
  conditionalEnums: false,
  dedupeEnums: false,
  defaultNonNullable: false,
  discriminators: { objects: {}, refsHandled: [] },
  emptyObjectsUnknown: true,
  enum: false,
  enumValues: false,
  excludeDeprecated: false,
  exportType: false,
  generatePathParams: false,
  immutable: false,
  injectFooter: [],
  makePathsEnum: false,
  pathParamsAsTypes: false,
  postTransform: undefined,
  propertiesRequiredByDefault: false,
  readWriteMarkers: false,
  // Only remote documents are read with it, and there are none.
  redoc: undefined as unknown as GlobalContext['redoc'],
  resolve: () => undefined,
  rootTypes: false,
  rootTypesKeepCasing: false,
  rootTypesNoSchemaPrefix: false,
  silent: true,
  transform: (schema) => ('x-open-enum' in schema ? openEnumNode(schema['x-open-enum']) : undefined),
  transformProperty: undefined,
};

function openEnumNode(values: readonly string[]): ts.TypeNode {
  const { factory } = ts;
  const anyString = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ]);
  const known = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  return factory.createUnionTypeNode([...known, factory.createParenthesizedType(anyString)]);
}
