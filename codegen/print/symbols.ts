/**
 * All names of the runtime that generated code may use, by their file below runtime/. Types are marked, so that
 * importing them does not load the module. `overlayFunctions` has the functions that overlays name.
 */
export const runtimeNames = {
  'machinery/json/clone.ts': ['cloneJson'],
  'machinery/json/values.ts': ['memberOf', 'setMember'],
  'machinery/prune/context.ts': ['type PruneContext'],
  'machinery/prune/values.ts': ['bool', 'bytes', 'double', 'int32', 'int64', 'isEmptyList', 'isEmptyMap', 'string', 'uint32', 'uint64'],
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
  'machinery/validation/field.ts': ['type Field'],
  'machinery/protobuf/codec.ts': ['type BinaryReader', 'type BinaryWriter', 'type ProtobufCodec'],
  'machinery/protobuf/message.ts': [
    'inlinedField',
    'listField',
    'mapField',
    'objectMessage',
    'optionalField',
    'singleField',
    'structMessage',
    'type Message',
  ],
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
  'client/options.ts': ['type ClientOptions', 'type GetOptions', 'type LogOptions', 'type PatchOptions', 'type WriteOptions'],
  'client/clientset.ts': ['Clientset', 'GroupVersionClient', 'type NamespacedVerbs'],
  'client/resource-client.ts': ['ResourceClient', 'StatusClient'],
  'client/rest-client.ts': ['type RestClient'],
  'machinery/api-group.ts': ['type ApiGroup', 'type Converter', 'type ResourceStrategy'],
  'machinery/catalog.ts': ['type Catalog'],
  'machinery/options/group-members.ts': ['requireResources'],
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
  'machinery/schema/json-schema.ts': ['type JsonSchema'],
  'kinds/type-by-schema.ts': ['typeBySchema', 'typeWithSchema'],
  'machinery/object.ts': ['type Json', 'type JsonObject'],
  'machinery/resource.ts': ['nothingToDefault', 'resourceDefinition', 'type ResourceDefinition', 'type TypeDefinition', 'typeDefinition'],
  'machinery/openapi-folder.ts': ['OpenApiFolder'],
} as const;

export type RuntimeFile = keyof typeof runtimeNames;
export type RuntimeName<File extends RuntimeFile> = (typeof runtimeNames)[File][number];

/** The files below runtime/ with the functions that overlays name. */
export const overlayFunctions = {
  defaults: 'kinds/overlays/defaults.ts',
  rules: 'kinds/overlays/validation.ts',
  columns: 'kinds/overlays/columns.ts',
  selectable: 'kinds/overlays/selectable-fields.ts',
  conversion: 'kinds/overlays/conversion.ts',
} as const;

/**
 * Returns the module specifier of a file of the runtime: TypeScript if `runtime` is a folder, compiled JavaScript if it
 * is a package.
 */
export function runtimeModule(runtime: string, file: string): string {
  return `${runtime}/${runtime.startsWith('.') ? file : file.replace(/\.ts$/, '.js')}`;
}

/** The runtime names that codecs use. */
export const codecSymbols: readonly string[] = [
  ...runtimeNames['machinery/protobuf/wire.ts'],
  ...runtimeNames['machinery/protobuf/special-types.ts'],
  ...runtimeNames['machinery/protobuf/message.ts'],
];
