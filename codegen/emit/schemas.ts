import type { ApiModel, GroupVersionModel, TypeModel } from '../model/model.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal } from '../print/literal.ts';
import { functionNames } from '../print/names.ts';

/** Reports whether emitSchemas has anything to write. */
export const hasSchemas = ({ types }: GroupVersionModel): boolean => types.some(({ schema }) => schema !== undefined);

/** Emits the schema of each kind of a custom group, in the form of a CustomResourceDefinition. */
export function emitSchemas(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  for (const type of groupVersion.types) {
    if (type.schema === undefined) continue;
    file.addConstant({
      name: functionNames(type).schema,
      type: file.runtime('machinery/schema/json-schema.ts', 'type JsonSchema'),
      initializer: literal(schemaOf(type)),
    });
  }
  return file.print();
}

/** The fields of a message are always set, so generated code must know which of them are required. */
function schemaOf({ schema = {}, message }: TypeModel): object {
  return message === undefined ? schema : withoutRequired(schema);
}

function withoutRequired(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { required: _, ...rest } = schema;
  const { properties, items, additionalProperties } = rest;
  const inner = (value: unknown): unknown => withoutRequired(value as Readonly<Record<string, unknown>>);
  return {
    ...rest,
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])) } : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: inner(additionalProperties) } : {}),
  };
}
