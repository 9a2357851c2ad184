import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';

import { sorted } from './openapi-join.ts';
import {
  each,
  encoded,
  type Json,
  MembersEncoder,
  message,
  namedEntries,
  nested,
  one,
  repeatedStrings,
  type Shape,
  tag,
  text,
  writeShape,
} from './openapi-message.ts';
import type { V2Document } from './openapi-v2.ts';

/*
 * Encodes a Swagger 2.0 document as gnostic's message openapi.v2.Document, which older versions of kubectl and
 * client-go request. The tables list the fields of gnostic's OpenAPIv2.proto: JSON name -> [number, type].
 */

const info: Shape = { title: [1, 'string'], version: [2, 'string'], description: [3, 'string'] };

const schema: Shape = {
  $ref: [1, 'string'],
  format: [2, 'string'],
  title: [3, 'string'],
  description: [4, 'string'],
  default: [5, 'any'],
  multipleOf: [6, 'double'],
  maximum: [7, 'double'],
  exclusiveMaximum: [8, 'bool'],
  minimum: [9, 'double'],
  exclusiveMinimum: [10, 'bool'],
  maxLength: [11, 'int'],
  minLength: [12, 'int'],
  pattern: [13, 'string'],
  maxItems: [14, 'int'],
  minItems: [15, 'int'],
  uniqueItems: [16, 'bool'],
  maxProperties: [17, 'int'],
  minProperties: [18, 'int'],
  required: [19, 'strings'],
  enum: [20, 'anys'],
  additionalProperties: [21, one(additionalProperties)],
  type: [22, one((type: string | string[], writer) => repeatedStrings(1, [type].flat(), writer))],
  items: [23, one((items: Json, writer) => nested(1, writer, () => writeSchema(items, writer)))],
  allOf: [24, each((item: Json, writer) => writeSchema(item, writer))],
  properties: [25, one((map: Json, writer) => namedEntries(1, map, writer, writeSchema))],
  discriminator: [26, 'string'],
  readOnly: [27, 'bool'],
  example: [30, 'any'],
};
const schemaExtensions = 31;

const bodyParameter: Shape = {
  description: [1, 'string'],
  name: [2, 'string'],
  in: [3, 'string'],
  required: [4, 'bool'],
  schema: [5, one(writeSchema)],
};
/** Parameters in the query and in forms. Those in paths and headers have no allowEmptyValue, so later numbers are lower. */
const queryParameter: Shape = {
  required: [1, 'bool'],
  in: [2, 'string'],
  description: [3, 'string'],
  name: [4, 'string'],
  allowEmptyValue: [5, 'bool'],
  type: [6, 'string'],
  format: [7, 'string'],
  uniqueItems: [20, 'bool'],
};
const pathParameter: Shape = {
  required: [1, 'bool'],
  in: [2, 'string'],
  description: [3, 'string'],
  name: [4, 'string'],
  type: [5, 'string'],
  format: [6, 'string'],
  uniqueItems: [19, 'bool'],
};
/** The field number and shape in NonBodyParameter, by the place of the parameter. */
const parametersByPlace: Readonly<Record<string, readonly [number: number, shape: Shape]>> = {
  header: [1, pathParameter],
  formData: [2, queryParameter],
  query: [3, queryParameter],
  path: [4, pathParameter],
};

const operation: Shape = {
  tags: [1, 'strings'],
  summary: [2, 'string'],
  description: [3, 'string'],
  operationId: [5, 'string'],
  produces: [6, 'strings'],
  consumes: [7, 'strings'],
  parameters: [8, each(writeParametersItem)],
  responses: [9, one((map: Json, writer) => namedEntries(1, map, writer, writeResponseValue))],
  schemes: [10, 'strings'],
  deprecated: [11, 'bool'],
  security: [12, each(writeSecurityRequirement)],
};
const operationExtensions = 13;

const pathItem: Shape = {
  $ref: [1, 'string'],
  get: [2, one(writeOperation)],
  put: [3, one(writeOperation)],
  post: [4, one(writeOperation)],
  delete: [5, one(writeOperation)],
  options: [6, one(writeOperation)],
  head: [7, one(writeOperation)],
  patch: [8, one(writeOperation)],
  parameters: [9, each(writeParametersItem)],
};

const apiKey: Shape = { type: [1, 'string'], name: [2, 'string'], in: [3, 'string'], description: [4, 'string'] };

/** The members before and after paths and definitions. */
const documentHead: Shape = {
  swagger: [1, 'string'],
  info: [2, one((value: Json, writer) => writeShape(info, value, writer))],
};
const documentTail: Shape = {
  parameters: [10, one((map: Json, writer) => namedEntries(1, map, writer, writeParameter))],
  security: [12, each(writeSecurityRequirement)],
  securityDefinitions: [
    13,
    one((map: Json, writer) => namedEntries(1, map, writer, (item, to) => nested(2, to, () => writeShape(apiKey, item, to)))),
  ],
};

/**
 * Encodes versions of a document. Paths and schemas that are unchanged since the last version are not encoded again.
 */
export class OpenApiV2Encoder {
  readonly #paths = new MembersEncoder(2, (item, to) => writeShape(pathItem, item, to));
  readonly #schemas = new MembersEncoder(1, writeSchema);

  async encode({ info: about, rest, paths, schemas, parameters }: V2Document, slice: TimeSlice): Promise<Buffer> {
    const encodedPaths = await this.#paths.encode(paths, slice);
    const encodedSchemas = await this.#schemas.encode(schemas, slice);
    return Buffer.concat([
      encoded((writer) => writeShape(documentHead, { swagger: '2.0', info: about }, writer)),
      ...message(8, encodedPaths),
      ...message(9, encodedSchemas),
      encoded((writer) => writeShape(documentTail, { ...rest, parameters: parsed(parameters) }, writer)),
    ]);
  }
}

const parsed = (texts: ReadonlyMap<string, string>): Json =>
  Object.fromEntries([...sorted(texts)].map(([name, text]) => [name, JSON.parse(text)]));

function writeSchema(value: Json, writer: BinaryWriter): void {
  writeShape(schema, value, writer, schemaExtensions);
}

function writeOperation(value: Json, writer: BinaryWriter): void {
  writeShape(operation, value, writer, operationExtensions);
}

function additionalProperties(value: Json | boolean, writer: BinaryWriter): void {
  if (typeof value === 'boolean') writer.uint32(tag(2, WireType.Varint)).bool(value);
  else nested(1, writer, () => writeSchema(value, writer));
}

function writeParametersItem(value: Json, writer: BinaryWriter): void {
  if (typeof value.$ref === 'string') nested(2, writer, () => text(1, value.$ref as string, writer));
  else nested(1, writer, () => writeParameter(value, writer));
}

function writeParameter(value: Json, writer: BinaryWriter): void {
  if (value.in === 'body') {
    nested(1, writer, () => writeShape(bodyParameter, value, writer));
    return;
  }
  const place = parametersByPlace[String(value.in)];
  if (place === undefined) return;
  const [number, shape] = place;
  nested(2, writer, () => nested(number, writer, () => writeShape(shape, value, writer)));
}

function writeResponseValue(value: Json, writer: BinaryWriter): void {
  nested(1, writer, () => {
    text(1, String(value.description ?? ''), writer);
    if (value.schema) nested(2, writer, () => nested(1, writer, () => writeSchema(value.schema as Json, writer)));
  });
}

function writeSecurityRequirement(value: Json, writer: BinaryWriter): void {
  for (const [name, scopes] of Object.entries(value)) {
    nested(1, writer, () => {
      text(1, name, writer);
      nested(2, writer, () => repeatedStrings(1, scopes as string[], writer));
    });
  }
}
