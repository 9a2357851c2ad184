import { astToString, type GlobalContext, type ReferenceObject, type SchemaObject, transformSchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import type { ApiModel, FieldModel, GroupVersionModel, SpecialName, TypeId, TypeModel, TypeRef } from '../model/model.ts';
import { typeById } from '../model/type-graph.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import type { RuntimeName } from '../print/symbols.ts';
import { openEnum, valueSchema } from './value-types.ts';

type Schema = SchemaObject | ReferenceObject;

/** The schemas of types with their own JSON form, or the type of machinery/object to use. */
const specialSchemas: Readonly<Record<SpecialName, SchemaObject | RuntimeName<'machinery/object.ts'>>> = {
  Quantity: { type: 'string' },
  IntOrString: { type: ['integer', 'string'] },
  Time: { type: 'string' },
  MicroTime: { type: 'string' },
  Duration: { type: 'string' },
  RawExtension: 'type JsonObject',
  FieldsV1: 'type JsonObject',
  JSON: 'type Json',
  JSONSchemaPropsOrBool: 'type Json',
  JSONSchemaPropsOrArray: 'type Json',
  JSONSchemaPropsOrStringArray: 'type Json',
  Verbs: { type: 'array', items: { type: 'string' } },
  Unknown: 'type Json',
};

/**
 * Emits the TypeScript type of each type of a group-version, written by openapi-typescript. Types of other group-
 * versions are imported as namespaces: `metav1.ObjectMeta`.
 *
 * Enumerations stay open (`'TCP' | 'UDP' | (string & {})`): a newer server may have more values.
 */
export function emitTypes(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const references = new References(groupVersion, model, file);
  const stored = storedTypes(groupVersion);
  for (const type of groupVersion.types) file.addStatement(astToString(interfaceOf(type, stored.has(type.id), references)));
  return file.print();
}

/** Returns the types whose metadata the server always sets: stored resources and their lists. */
function storedTypes({ resources, types }: GroupVersionModel): ReadonlySet<string> {
  const stored = resources.filter((resource) => resource.stored);
  const lists = new Set(stored.map((resource) => resource.listKind));
  return new Set([
    ...stored.map((resource) => resource.type),
    ...types.filter((type) => type.gvk && lists.has(type.gvk.kind)).map((type) => type.id),
  ]);
}

function interfaceOf(type: TypeModel, stored: boolean, references: References): ts.Node {
  const { value } = type;
  const schema = value === undefined ? objectSchema(type, stored, references) : valueSchema(value, references);
  const literal = transformSchemaObject(schema, {
    path: `#/${type.name}`,
    ctx: transformContext,
  });
  const members = ts.isTypeLiteralNode(literal) ? literal.members : undefined;
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return members && value === undefined
    ? ts.factory.createInterfaceDeclaration(exported, type.name, undefined, undefined, members)
    : ts.factory.createTypeAliasDeclaration(exported, type.name, undefined, literal);
}

function objectSchema(type: TypeModel, stored: boolean, references: References): SchemaObject {
  const properties = new Map<string, Schema>();
  const required: string[] = [];
  if (type.gvk && !type.fields.some((field) => field.json === 'apiVersion')) {
    properties.set('apiVersion', { type: 'string' }).set('kind', { type: 'string' });
  }
  for (const field of type.fields) {
    if (properties.has(field.json)) continue;
    properties.set(field.json, fieldSchema(field, references));
    if (field.required || (stored && field.json === 'metadata')) required.push(field.json);
  }
  const members = Object.fromEntries(properties);
  return { type: 'object', properties: members, required, ...(type.open ? { additionalProperties: true } : {}) };
}

function fieldSchema(field: FieldModel, references: References): Schema {
  const schema = presentSchema(field, references);
  return field.nullable ? ({ oneOf: [schema, { type: 'null' }] } as Schema) : schema;
}

function presentSchema(field: FieldModel, references: References): Schema {
  if (field.enum && field.enum.length > 0 && isString(field.type)) return openEnum(field.enum);
  if (field.enum && field.enum.length > 0 && field.type.kind === 'list' && isString(field.type.of))
    return { type: 'array', items: openEnum(field.enum) };
  if (isNullableTime(field)) return { type: ['string', 'null'] };
  if (field.type.kind === 'list' && !field.required && !field.omitEmpty) {
    // Go writes an absent list as null, unless its tag omits it; validation refuses most absent required lists
    return { type: ['array', 'null'], items: refSchema(field.type.of, references) };
  }
  return refSchema(field.type, references);
}

/** Go writes a zero metav1.Time as null, unless its tag omits it. (On structs `omitempty` has no effect.) */
const isNullableTime = ({ type, pointer, omitEmpty, omitZero }: FieldModel): boolean =>
  type.kind === 'special' && (type.name === 'Time' || type.name === 'MicroTime') && !omitZero && !(pointer && omitEmpty);

const isString = (ref: TypeRef): boolean => ref.kind === 'scalar' && ref.name === 'string';

function refSchema(ref: TypeRef, references: References): Schema {
  switch (ref.kind) {
    case 'scalar':
      return scalarSchema(ref.name);
    case 'special':
      return references.special(ref.name);
    case 'message':
      return references.message(ref.id);
    case 'list':
      return { type: 'array', items: refSchema(ref.of, references) };
    case 'map':
      return { type: 'object', additionalProperties: refSchema(ref.of, references) };
  }
}

function scalarSchema(name: string): SchemaObject {
  if (name === 'bool') return { type: 'boolean' };
  return name === 'string' || name === 'bytes' ? { type: 'string' } : { type: 'number' };
}

/** Resolves the types that fields refer to. */
class References {
  readonly #groupVersion: GroupVersionModel;
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;

  constructor(groupVersion: GroupVersionModel, model: ApiModel, file: GeneratedFile) {
    this.#groupVersion = groupVersion;
    this.#model = model;
    this.#file = file;
  }

  message(id: TypeId): Schema {
    const type = typeById(this.#model, id);
    return reference(type.folder === this.#groupVersion.folder ? type.name : this.#file.type(type));
  }

  special(name: SpecialName): Schema {
    const schema = specialSchemas[name];
    return typeof schema === 'string' ? reference(this.#file.runtime('machinery/object.ts', schema)) : schema;
  }
}

/** A reference to a TypeScript name. openapi-typescript prints the part behind `#/`. */
const reference = (name: string): ReferenceObject => ({ $ref: `#/${name}` });

/** openapi-typescript's options: all defaults, except for `transform`. */
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
  // Used only for remote documents.
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
