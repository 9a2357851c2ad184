import { isObject } from './json.ts';
import { isHttpMethod } from './openapi.ts';
import { escapePointer } from './schema-errors.ts';
import { listOf, mapOf, members, object, type Shape, type ShapeFault, text } from './shapes.ts';

export type { ShapeFault } from './shapes.ts';

export const shapeFaultText = ({ pointer, message }: ShapeFault): string =>
  `#${pointer.map((part) => `/${escapePointer(part)}`).join('')} ${message}`;

/**
 * Returns the first fault in the shape of an OpenAPI v3 or Swagger 2.0 document: in its paths, operations, or the kinds
 * of its schemas. Readers of schemas check the rest.
 */
export function shapeFault(document: Readonly<Record<string, unknown>>): ShapeFault | undefined {
  const { paths = {}, components = {}, definitions = {} } = document;
  return [
    ...mapOf(pathItem)(paths, ['paths']),
    ...members({ schemas: mapOf(schema) })(components, ['components']),
    ...mapOf(schema)(definitions, ['definitions']),
  ][0];
}

const gvkKey = 'x-kubernetes-group-version-kind';

const kind: Shape = (value, pointer) =>
  isObject(value) ? ['group', 'version', 'kind'].flatMap((key) => text(value[key], [...pointer, key])) : object(value, pointer);

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

const pathItem: Shape = (value, pointer) =>
  isObject(value)
    ? [
        ...members({ parameters: listOf(object) })(value, pointer),
        ...Object.entries(value).flatMap(([key, member]) => (isHttpMethod(key) ? operation(member, [...pointer, key]) : [])),
      ]
    : object(value, pointer);

/** The dialect, known only to readers of schemas, decides whether a schema may be a boolean. */
const schema: Shape = (value, pointer) => (isObject(value) ? members({ [gvkKey]: listOf(kind) })(value, pointer) : []);
