import { isObject } from './json.ts';
import { isHttpMethod } from './openapi.ts';
import { escapePointer } from './schema-errors.ts';

/** Where a document does not have the shape that OpenAPI gives it, and what is wrong there. */
export interface ShapeFault {
  readonly pointer: readonly string[];
  readonly message: string;
}

export const shapeFaultText = ({ pointer, message }: ShapeFault): string =>
  `#${pointer.map((part) => `/${escapePointer(part)}`).join('')} ${message}`;

type Check = (value: unknown, pointer: readonly string[]) => ShapeFault | undefined;

/**
 * The first fault in the shape of an OpenAPI v3 or Swagger 2.0 document: of its paths, operations, and the kinds of its
 * schemas. What schemas say otherwise is checked where they are read.
 */
export function shapeFault(document: Readonly<Record<string, unknown>>): ShapeFault | undefined {
  const { paths = {}, components = {}, definitions = {} } = document;
  return (
    mapOf(pathItem)(paths, ['paths']) ??
    members({ schemas: mapOf(schema) })(components, ['components']) ??
    mapOf(schema)(definitions, ['definitions'])
  );
}

const isA =
  (what: string, holds: (value: unknown) => boolean): Check =>
  (value, pointer) =>
    holds(value) ? undefined : { pointer, message: `is not ${what}` };

const text = isA('a string', (value) => typeof value === 'string');
const object = isA('an object', isObject);

/** An object whose members, if present, pass these checks. */
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, pointer) =>
    object(value, pointer) ??
    firstFault(Object.entries(checks), ([key, check]) => {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      return member === undefined ? undefined : check(member, [...pointer, key]);
    });

const mapOf =
  (check: Check): Check =>
  (value, pointer) =>
    object(value, pointer) ??
    firstFault(Object.entries(value as object), ([key, member]) => check(member, [...pointer, key]));

const listOf =
  (check: Check): Check =>
  (value, pointer) =>
    isA('a list', Array.isArray)(value, pointer) ??
    firstFault([...(value as readonly unknown[]).entries()], ([index, each]) => check(each, [...pointer, `${index}`]));

function firstFault<T>(items: readonly T[], faultOf: (item: T) => ShapeFault | undefined): ShapeFault | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault) return fault;
  }
  return undefined;
}

const gvkKey = 'x-kubernetes-group-version-kind';

const kind: Check = (value, pointer) =>
  object(value, pointer) ??
  firstFault(['group', 'version', 'kind'], (key) =>
    text((value as Readonly<Record<string, unknown>>)[key], [...pointer, key]),
  );

const content = mapOf(object);
const operation = members({
  operationId: text,
  tags: listOf(text),
  parameters: listOf(object),
  requestBody: members({ content }),
  responses: mapOf(members({ content })),
  [gvkKey]: kind,
  'x-kubernetes-action': text,
});

const pathItem: Check = (value, pointer) =>
  members({ parameters: listOf(object) })(value, pointer) ??
  firstFault(Object.entries(value as object), ([key, member]) =>
    isHttpMethod(key) ? operation(member, [...pointer, key]) : undefined,
  );

/** Whether a schema may be a boolean depends on the dialect, which is known where schemas are read. */
const schema: Check = (value, pointer) =>
  isObject(value) ? members({ [gvkKey]: listOf(kind) })(value, pointer) : undefined;
