import { BinaryReader } from '@bufbuild/protobuf/wire';
import { parse } from 'yaml';

/* Decodes gnostic's openapi.v3 messages (openapiv3/OpenAPIv3.proto) to JSON, with its own tables. */

type Decoder = (reader: BinaryReader) => unknown;
/** Fields by number: member, decoder, and whether it is repeated. Extensions are members of the message itself. */
type Fields = Readonly<Record<number, readonly [member: string, decode: Decoder, repeated?: 'each']>>;

const string: Decoder = (reader) => reader.string();
const bool: Decoder = (reader) => reader.bool();
const double: Decoder = (reader) => reader.double();
const int: Decoder = (reader) => Number(reader.int64());

/** @param fields a function, because messages contain each other */
function message(fields: () => Fields): Decoder {
  return (reader) => {
    const table = fields();
    const end = reader.uint32() + reader.pos;
    const value: Record<string, unknown> = {};
    while (reader.pos < end) {
      const [number] = reader.tag();
      const field = table[number];
      if (field === undefined) throw new Error(`no field ${number} in ${Object.values(table).map(([name]) => name)}`);
      const [member, decode, repeated] = field;
      const part = decode(reader);
      if (member === extension) Object.assign(value, part);
      else if (repeated) value[member] = [...((value[member] as unknown[]) ?? []), part];
      else value[member] = part;
    }
    return value;
  };
}

const extension = 'x-';
const any: Decoder = (reader) => parse((message(() => ({ 2: ['yaml', string] }))(reader) as { yaml: string }).yaml);

/** Decodes one named entry to an object with one member. */
const entry = (decode: Decoder): Decoder => {
  const pair = message(() => ({ 1: ['name', string], 2: ['value', decode] }));
  return (reader) => {
    const { name, value } = pair(reader) as { name: string; value: unknown };
    return { [name]: value };
  };
};
const named = (decode: Decoder): Decoder => message(() => ({ 1: [extension, entry(decode)] }));
const extensions = [extension, entry(any)] as const;

/** Decodes the only member of a oneof. */
const oneOf = (fields: () => Fields): Decoder => {
  const decode = message(fields);
  return (reader) => Object.values(decode(reader) as object)[0];
};
const reference = message(() => ({ 1: ['$ref', string] }));
const orReference = (decode: Decoder): Decoder => oneOf(() => ({ 1: ['value', decode], 2: ['value', reference] }));

const schema: Decoder = message(() => ({
  1: ['nullable', bool],
  3: ['readOnly', bool],
  7: ['example', any],
  8: ['deprecated', bool],
  9: ['title', string],
  6: ['externalDocs', message(() => ({ 1: ['description', string], 2: ['url', string] }))],
  10: ['multipleOf', double],
  11: ['maximum', double],
  12: ['exclusiveMaximum', bool],
  13: ['minimum', double],
  14: ['exclusiveMinimum', bool],
  15: ['maxLength', int],
  16: ['minLength', int],
  17: ['pattern', string],
  18: ['maxItems', int],
  19: ['minItems', int],
  20: ['uniqueItems', bool],
  21: ['maxProperties', int],
  22: ['minProperties', int],
  23: ['required', string, 'each'],
  24: ['enum', any, 'each'],
  25: ['type', string],
  26: ['allOf', anySchema, 'each'],
  27: ['oneOf', anySchema, 'each'],
  28: ['anyOf', anySchema, 'each'],
  29: ['not', schema],
  30: ['items', oneOf(() => ({ 1: ['items', anySchema] }))],
  31: ['properties', named(anySchema)],
  32: ['additionalProperties', oneOf(() => ({ 1: ['value', anySchema], 2: ['value', bool] }))],
  33: ['default', (reader) => defaultOf(reader) ?? {}],
  34: ['description', string],
  35: ['format', string],
  36: extensions,
}));
const anySchema: Decoder = orReference(schema);
const defaultOf = oneOf(() => ({ 1: ['value', double], 2: ['value', bool], 3: ['value', string] }));

const content = named(message(() => ({ 1: ['schema', anySchema] })));
const parameter = orReference(
  message(() => ({
    1: ['name', string],
    2: ['in', string],
    3: ['description', string],
    4: ['required', bool],
    10: ['schema', anySchema],
  })),
);
const response = orReference(message(() => ({ 1: ['description', string], 3: ['content', content] })));
const requestBody = message(() => ({ 1: ['description', string], 2: ['content', content], 3: ['required', bool] }));

const operation = message(() => ({
  1: ['tags', string, 'each'],
  2: ['summary', string],
  3: ['description', string],
  5: ['operationId', string],
  6: ['parameters', parameter, 'each'],
  7: ['requestBody', orReference(requestBody)],
  10: ['deprecated', bool],
  8: ['responses', message(() => ({ 1: ['default', response], 2: [extension, entry(response)] }))],
  13: extensions,
}));
const pathItem = message(() => ({
  4: ['get', operation],
  5: ['put', operation],
  6: ['post', operation],
  7: ['delete', operation],
  8: ['options', operation],
  9: ['head', operation],
  10: ['patch', operation],
  13: ['parameters', parameter, 'each'],
  15: extensions,
}));
const securityScheme = message(() => ({
  1: ['type', string],
  2: ['description', string],
  3: ['name', string],
  4: ['in', string],
}));

const document = message(() => ({
  1: ['openapi', string],
  2: ['info', message(() => ({ 1: ['title', string], 2: ['description', string], 6: ['version', string] }))],
  4: ['paths', named(pathItem)],
  5: ['components', message(() => ({ 1: ['schemas', named(anySchema)], 7: ['securitySchemes', named(orReference(securityScheme))] }))],
}));

export function decodeOpenApiV3(bytes: Uint8Array): unknown {
  const head: number[] = [];
  for (let length = bytes.length; ; length = Math.floor(length / 128)) {
    head.push(length < 128 ? length : (length % 128) | 128);
    if (length < 128) break;
  }
  return document(new BinaryReader(Buffer.concat([Buffer.from(head), bytes])));
}
