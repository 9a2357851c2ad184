import type { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json, JsonObject } from '../../../machinery/object.ts';
import type { SplitDocument } from './split-document.ts';

/* Converts v2 documents for servers without OpenAPI v3 documents. (kube-openapi pkg/openapiconv/convert.go) */

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const ofOperation = ['description', 'externalDocs', 'tags', 'summary', 'deprecated', 'operationId'];
const ofParameter = ['name', 'description', 'in', 'required', 'allowEmptyValue'];

/** Returns the v3 document as JSON. @throws TypeError for members of the wrong types */
export async function convertToV3({ info, paths, schemas }: SplitDocument, slice: TimeSlice): Promise<Buffer> {
  const pieces: Buffer[] = [Buffer.from(`{"openapi":"3.0.0","info":${info},"paths":{`)];
  const add = async (texts: ReadonlyMap<string, string>, convert: (value: JsonObject) => JsonObject): Promise<void> => {
    let before = '';
    for (const [name, text] of texts) {
      pieces.push(Buffer.from(`${before}${JSON.stringify(name)}:${JSON.stringify(convert(JSON.parse(text)))}`));
      before = ',';
      if (slice.isOver) await slice.next();
    }
  };
  await add(paths, pathItem);
  pieces.push(Buffer.from('},"components":{"schemas":{'));
  await add(schemas, schema);
  pieces.push(Buffer.from('}}}'));
  return Buffer.concat(pieces);
}

function pathItem(item: JsonObject): JsonObject {
  return {
    ...pick(item, ['$ref']),
    ...extensions(item),
    ...Object.fromEntries(methods.flatMap((method) => objectOf(item, method).map((one) => [method, operation(one)]))),
    ...(item.parameters === undefined ? {} : { parameters: listOf(item, 'parameters').map(parameter) }),
  };
}

function operation(from: JsonObject): JsonObject {
  const isBody = (one: JsonObject): boolean => one.name === 'body' && isJsonObject(one.schema);
  const all = listOf(from, 'parameters');
  const [body] = all.filter(isBody);
  const others = all.filter((one) => !isBody(one));
  const responses = objectOf(from, 'responses')[0] ?? {};
  return {
    ...pick(from, ofOperation),
    ...extensions(from),
    ...(others.length === 0 ? {} : { parameters: others.map(parameter) }),
    ...(body === undefined ? {} : { requestBody: content(body.schema ?? null, from.consumes) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, value]) => [code, isJsonObject(value) ? response(value, from.produces) : value]),
    ),
  };
}

function response(from: JsonObject, produces: Json | undefined): JsonObject {
  const reference: JsonObject = typeof from.$ref === 'string' ? { $ref: componentOf(from.$ref) } : {};
  const { description = '' } = from;
  return { ...reference, ...extensions(from), description, ...(from.schema ? content(from.schema, produces) : {}) };
}

function content(of: Json, mediaTypes: Json | undefined): JsonObject {
  if (!Array.isArray(mediaTypes)) return {};
  return { content: Object.fromEntries(mediaTypes.map((mediaType) => [String(mediaType), { schema: anySchema(of) }])) };
}

function parameter(from: JsonObject): JsonObject {
  if (typeof from.$ref === 'string') return { $ref: componentOf(from.$ref) };
  const simple = pick(from, ['type', 'format', 'uniqueItems']);
  return { ...pick(from, ofParameter), ...extensions(from), schema: from.schema ? anySchema(from.schema) : simple };
}

/** Wraps a reference beside other members, because a reference would hide them. (builderutil.WrapRefs) */
function schema({ $ref, ...from }: JsonObject): JsonObject {
  const converted: JsonObject = Object.fromEntries(Object.entries(from).map(([name, value]) => [name, nested(name, value)]));
  if (typeof $ref !== 'string') return converted;
  const reference = { $ref: componentOf($ref) };
  return Object.keys(converted).length === 0 ? reference : { ...converted, allOf: [reference] };
}

function nested(name: string, value: Json): Json {
  switch (name) {
    case 'properties':
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([property, one]) => [property, anySchema(one)]));
    case 'items':
    case 'additionalProperties':
    case 'additionalItems':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
    case 'not':
      return Array.isArray(value) ? value.map(anySchema) : anySchema(value);
    default:
      return value;
  }
}

const anySchema = (value: Json): Json => (isJsonObject(value) ? schema(value) : value);

const componentOf = (reference: string): string =>
  reference.replace('#/definitions/', '#/components/schemas/').replace(/^#\/(parameters|responses)\//, '#/components/$1/');

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

function extensions(from: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name.startsWith('x-')));
}

const objectOf = (from: JsonObject, name: string): JsonObject[] => [from[name]].filter(isJsonObject);

function listOf(from: JsonObject, name: string): JsonObject[] {
  const value = from[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
