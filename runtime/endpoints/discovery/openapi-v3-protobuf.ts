import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { each, encoded, type Json, message, namedEntries, nested, one, type Shape, tag, text, writeShape } from './openapi-message.ts';

/* Encodes an OpenAPI 3.0 document as gnostic's message openapi.v3.Document. The tables list the fields of its OpenAPIv3.proto. */

const info: Shape = {
  title: [1, 'string'],
  description: [2, 'string'],
  version: [6, 'string'],
};

const schema: Shape = {
  nullable: [1, 'bool'],
  readOnly: [3, 'bool'],
  writeOnly: [4, 'bool'],
  externalDocs: [6, one((value: Json, writer) => writeShape({ description: [1, 'string'], url: [2, 'string'] }, value, writer, 3))],
  example: [7, 'any'],
  deprecated: [8, 'bool'],
  title: [9, 'string'],
  multipleOf: [10, 'double'],
  maximum: [11, 'double'],
  exclusiveMaximum: [12, 'bool'],
  minimum: [13, 'double'],
  exclusiveMinimum: [14, 'bool'],
  maxLength: [15, 'int'],
  minLength: [16, 'int'],
  pattern: [17, 'string'],
  maxItems: [18, 'int'],
  minItems: [19, 'int'],
  uniqueItems: [20, 'bool'],
  maxProperties: [21, 'int'],
  minProperties: [22, 'int'],
  required: [23, 'strings'],
  enum: [24, 'anys'],
  type: [25, 'string'],
  allOf: [26, each(writeSchemaOrReference)],
  oneOf: [27, each(writeSchemaOrReference)],
  anyOf: [28, each(writeSchemaOrReference)],
  not: [29, one(writeSchema)],
  items: [30, one((items: Json, writer) => nested(1, writer, () => writeSchemaOrReference(items, writer)))],
  properties: [31, namedIn(writeSchemaOrReference)],
  additionalProperties: [32, one(writeAdditionalProperties)],
  default: [33, one(writeDefault)],
  description: [34, 'string'],
  format: [35, 'string'],
};
const schemaExtensions = 36;

const parameter: Shape = {
  name: [1, 'string'],
  in: [2, 'string'],
  description: [3, 'string'],
  required: [4, 'bool'],
  deprecated: [5, 'bool'],
  allowEmptyValue: [6, 'bool'],
  style: [7, 'string'],
  explode: [8, 'bool'],
  allowReserved: [9, 'bool'],
  schema: [10, one(writeSchemaOrReference)],
};
const mediaType: Shape = { schema: [1, one(writeSchemaOrReference)] };
const content = namedIn((value, writer) => writeShape(mediaType, value, writer, 5));
const requestBody: Shape = { description: [1, 'string'], content: [2, content], required: [3, 'bool'] };
const response: Shape = { description: [1, 'string'], content: [3, content] };

const operation: Shape = {
  tags: [1, 'strings'],
  summary: [2, 'string'],
  description: [3, 'string'],
  operationId: [5, 'string'],
  parameters: [6, each(writeParameterOrReference)],
  requestBody: [7, one((value: Json, writer) => orReference(value, writer, () => writeShape(requestBody, value, writer, 4)))],
  responses: [8, one(writeResponses)],
  deprecated: [10, 'bool'],
};
const operationExtensions = 13;

const pathItem: Shape = {
  $ref: [1, 'string'],
  summary: [2, 'string'],
  description: [3, 'string'],
  get: [4, one(writeOperation)],
  put: [5, one(writeOperation)],
  post: [6, one(writeOperation)],
  delete: [7, one(writeOperation)],
  options: [8, one(writeOperation)],
  head: [9, one(writeOperation)],
  patch: [10, one(writeOperation)],
  trace: [11, one(writeOperation)],
  parameters: [13, each(writeParameterOrReference)],
};
const pathItemExtensions = 15;

const securityScheme: Shape = {
  type: [1, 'string'],
  description: [2, 'string'],
  name: [3, 'string'],
  in: [4, 'string'],
  scheme: [5, 'string'],
};

interface V3Document extends Json {
  readonly paths?: Readonly<Record<string, Json>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Json>>;
    readonly securitySchemes?: Readonly<Record<string, Json>>;
  };
}

const documentHead: Shape = {
  openapi: [1, 'string'],
  info: [2, one((value: Json, writer) => writeShape(info, value, writer, 7))],
};
/** The members of `components` after the schemas. */
const componentsTail: Shape = {
  securitySchemes: [7, namedIn((value, writer) => orReference(value, writer, () => writeShape(securityScheme, value, writer, 9)))],
};

/** @param json the document as JSON */
export async function encodeOpenApiV3(json: Buffer, slice: TimeSlice): Promise<Buffer> {
  const document: V3Document = JSON.parse(json.toString());
  if (slice.isOver) await slice.next();
  const { paths = {}, components = {} } = document;
  const encodedPaths = await encodeMembers(1, paths, writePathItem, slice);
  const schemas = await encodeMembers(1, components.schemas ?? {}, writeSchemaOrReference, slice);
  return Buffer.concat([
    encoded((writer) => writeShape(documentHead, document, writer)),
    ...message(4, encodedPaths),
    ...message(5, [...message(1, schemas), encoded((writer) => writeShape(componentsTail, components as Json, writer))]),
  ]);
}

async function encodeMembers(
  number: number,
  members: Readonly<Record<string, Json>>,
  write: (value: Json, to: BinaryWriter) => void,
  slice: TimeSlice,
): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(members)) {
    parts.push(encoded((writer) => namedEntries(number, { [name]: value }, writer, write)));
    if (slice.isOver) await slice.next();
  }
  return parts;
}

function writePathItem(value: Json, writer: BinaryWriter): void {
  writeShape(pathItem, value, writer, pathItemExtensions);
}

function writeOperation(value: Json, writer: BinaryWriter): void {
  writeShape(operation, value, writer, operationExtensions);
}

function writeSchema(value: Json, writer: BinaryWriter): void {
  writeShape(schema, value, writer, schemaExtensions);
}

function writeSchemaOrReference(value: Json, writer: BinaryWriter): void {
  orReference(value, writer, () => writeSchema(value, writer));
}

function writeParameterOrReference(value: Json, writer: BinaryWriter): void {
  orReference(value, writer, () => writeShape(parameter, value, writer, 14));
}

/** Responses by status code, after the default. */
function writeResponses({ default: fallback, ...codes }: Json, writer: BinaryWriter): void {
  const write = (value: Json, to: BinaryWriter): void => {
    orReference(value, to, () => writeShape(response, value, to, 5));
  };
  if (fallback !== undefined) nested(1, writer, () => write(fallback as Json, writer));
  namedEntries(2, codes, writer, write);
}

function writeAdditionalProperties(value: Json | boolean, writer: BinaryWriter): void {
  if (typeof value === 'boolean') writer.uint32(tag(2, WireType.Varint)).bool(value);
  else nested(1, writer, () => writeSchemaOrReference(value, writer));
}

/** gnostic has no place for defaults that are objects, lists or null. */
function writeDefault(value: unknown, writer: BinaryWriter): void {
  if (typeof value === 'number') writer.uint32(tag(1, WireType.Bit64)).double(value);
  else if (typeof value === 'boolean') writer.uint32(tag(2, WireType.Varint)).bool(value);
  else if (typeof value === 'string') text(3, value, writer);
}

/** Writes an object as field 1, or a reference as field 2. */
function orReference(value: Json, writer: BinaryWriter, write: () => void): void {
  const { $ref } = value;
  if (typeof $ref === 'string') nested(2, writer, () => text(1, $ref, writer));
  else nested(1, writer, write);
}

/** Returns the type of a field with a message of named entries. */
function namedIn(write: (value: Json, writer: BinaryWriter) => void): Shape[string][1] {
  return one((map: Json, writer) => namedEntries(1, map, writer, write));
}
