/**
 * The only names of the runtime that generated prune, default, validation and codec functions may use, by the file
 * below runtime/ that exports them. Functions that overlays name come from the folders in `namedFunctions`.
 */
const files = {
  'machinery/json/clone.ts': ['cloneJson'],
  'machinery/json/values.ts': ['memberOf', 'setMember'],
  'machinery/prune/context.ts': ['PruneContext'],
  'machinery/prune/values.ts': [
    'bool',
    'bytes',
    'double',
    'int32',
    'int64',
    'isEmptyList',
    'isEmptyMap',
    'list',
    'map',
    'string',
    'uint32',
    'uint64',
  ],
  'machinery/prune/special-types.ts': [
    'duration',
    'intOrString',
    'microTime',
    'quantity',
    'schemaOrArray',
    'schemaOrBool',
    'schemaOrStringArray',
    'time',
    'untyped',
  ],
  'machinery/resource.ts': ['nothingToDefault'],
  'machinery/validation/field.ts': ['Field'],
  'machinery/protobuf/codec.ts': ['BinaryReader', 'BinaryWriter', 'ProtobufCodec'],
  'machinery/protobuf/wire.ts': [
    'ascend',
    'boolValue',
    'bytesValue',
    'checkEnd',
    'descend',
    'doubleValue',
    'empty',
    'endOf',
    'int32Value',
    'int64Value',
    'messageCodec',
    'readBytes',
    'readEntry',
    'readInt64',
    'readUint64',
    'skipField',
    'sortMap',
    'stringValue',
    'uint32Value',
    'uint64Value',
    'writeBytes',
    'writeInt64',
    'writeMap',
    'writeStringValue',
    'writeUint64',
  ],
  'machinery/protobuf/special-types.ts': [
    'decodeDuration',
    'decodeIntOrString',
    'decodeMicroTime',
    'decodeQuantity',
    'decodeSchemaOrArray',
    'decodeSchemaOrBool',
    'decodeSchemaOrStringArray',
    'decodeStringItems',
    'decodeTime',
    'decodeUntyped',
    'encodeDuration',
    'encodeIntOrString',
    'encodeMicroTime',
    'encodeQuantity',
    'encodeSchemaOrArray',
    'encodeSchemaOrBool',
    'encodeSchemaOrStringArray',
    'encodeStringItems',
    'encodeTime',
    'encodeUntyped',
  ],
  'structural/checks.ts': [
    'checkEnum',
    'checkForbidden',
    'checkFormat',
    'checkMax',
    'checkMaxItems',
    'checkMaxLength',
    'checkMin',
    'checkMinItems',
    'checkMinLength',
    'checkPattern',
    'checkPresent',
    'checkRequired',
    'checkUnique',
    'checkUniqueKeys',
    'nothingToValidate',
  ],
} as const;

export type RuntimeSymbol = (typeof files)[keyof typeof files][number];

/** Names that are types only. */
const types: ReadonlySet<string> = new Set(['BinaryReader', 'BinaryWriter', 'Field', 'PruneContext', 'ProtobufCodec']);

/** Where overlays find the functions they name. */
export const namedFunctions = {
  defaults: 'kinds/overlays/defaults.ts',
  rules: 'kinds/overlays/validation.ts',
  columns: 'kinds/overlays/columns.ts',
  selectable: 'kinds/overlays/selectable-fields.ts',
  conversion: 'kinds/overlays/conversion.ts',
} as const;

/**
 * The same for the other generated files: types, merge schemas, resource definitions, clients and the catalog. Names
 * are written as they are imported.
 */
export const definitionFiles = {
  'client/options.ts': [
    'type ApplyOptions',
    'type ClientOptions',
    'type DeleteCollectionOptions',
    'type DeleteOptions',
    'type GetOptions',
    'type ListOptions',
    'type LogOptions',
    'type PatchOptions',
    'type WatchEvent',
    'type WatchOptions',
    'type WriteOptions',
  ],
  'client/resource-endpoint.ts': ['ResourceEndpoint', 'type ResourceLocation'],
  'client/rest-client.ts': ['RestClient'],
  'machinery/api-group.ts': ['type ApiGroup', 'type ResourceStrategy'],
  'machinery/catalog.ts': ['type Catalog'],
  'machinery/schema/merge-schema.ts': [
    'boolean',
    'intOrString',
    'list',
    'map',
    'number',
    'quantity',
    'text',
    'textList',
    'textMapping',
    'time',
    'type StructMerge',
    'untyped',
    'untypedAtomic',
  ],
  'machinery/object.ts': ['type Json', 'type JsonObject'],
  'machinery/resource.ts': ['type ResourceDefinition', 'type TypeDefinition', 'typeDefinition'],
  'machinery/openapi-folder.ts': ['openapiFolder'],
  'machinery/errors/status.ts': ['type Status'],
} as const;

type DefinitionFile = keyof typeof definitionFiles;

/**
 * The specifier by which generated code imports a file of the runtime: TypeScript beside it in one tree, compiled when
 * `runtime` is a package's.
 */
export function runtimeModule(runtime: string, file: string): string {
  return `${runtime}/${runtime.startsWith('.') ? file : file.replace(/\.ts$/, '.js')}`;
}

/** An import statement for names of one file of `definitionFiles`; "" for none. */
export function importDefinitions<File extends DefinitionFile>(
  runtime: string,
  file: File,
  names: readonly (typeof definitionFiles)[File][number][],
): string {
  if (names.length === 0) return '';
  const sorted = [...new Set<string>(names)].sort();
  // An import of types that does not say so as a whole would still load the module.
  const typesOnly = sorted.every((name) => name.startsWith('type '));
  const list = sorted.map((name) => (typesOnly ? name.slice('type '.length) : name)).join(', ');
  return `import ${typesOnly ? 'type ' : ''}{ ${list} } from '${runtimeModule(runtime, file)}';\n`;
}

const fileOf = new Map<string, string>(
  Object.entries(files).flatMap(([file, names]) => names.map((name) => [name, file] as const)),
);

export function symbolFile(name: RuntimeSymbol): { readonly file: string; readonly type: boolean } {
  return { file: fileOf.get(name) as string, type: types.has(name) };
}

export const symbolNames: readonly string[] = [...fileOf.keys()];

/** The names that codecs use. */
export const codecSymbols: readonly string[] = [
  ...files['machinery/protobuf/wire.ts'],
  ...files['machinery/protobuf/special-types.ts'],
];
