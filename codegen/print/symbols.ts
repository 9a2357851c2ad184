/**
 * The only names of the runtime that generated prune, default, validation and codec functions may use, by the file
 * below runtime/ that exports them. Functions that overlays name come from the folders in `namedFunctions`.
 */
const files = {
  'machinery/prune.ts': ['PruneContext'],
  'machinery/prune-values.ts': [
    'bool',
    'bytes',
    'double',
    'int32',
    'int64',
    'isEmptyList',
    'isEmptyMap',
    'list',
    'map',
    'own',
    'setKey',
    'string',
    'uint32',
    'uint64',
  ],
  'machinery/prune-specials.ts': [
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
  'machinery/defaults.ts': ['copyJson', 'nothingToDefault'],
  'machinery/field-error.ts': ['FieldError'],
  'machinery/field-path.ts': ['FieldPath'],
  'machinery/protobuf.ts': ['ProtobufCodec'],
  'machinery/wire.ts': [
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
  'machinery/wire-specials.ts': [
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
const types: ReadonlySet<string> = new Set(['FieldError', 'FieldPath', 'PruneContext', 'ProtobufCodec']);

/** Where overlays find the functions they name. */
export const namedFunctions = {
  defaults: 'structural/defaults/index.ts',
  rules: 'structural/rules/index.ts',
} as const;

const fileOf = new Map<string, string>(
  Object.entries(files).flatMap(([file, names]) => names.map((name) => [name, file] as const)),
);

export function symbolFile(name: RuntimeSymbol): { readonly file: string; readonly type: boolean } {
  return { file: fileOf.get(name) as string, type: types.has(name) };
}

export const symbolNames: readonly string[] = [...fileOf.keys()];

/** The names that codecs use. */
export const codecSymbols: readonly string[] = [...files['machinery/wire.ts'], ...files['machinery/wire-specials.ts']];
