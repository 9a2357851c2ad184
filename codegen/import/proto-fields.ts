import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, FieldOptions_JSType } from '@bufbuild/protobuf/wkt';
import type { Schema } from '../load/openapi.ts';
import { lineOfField, lineOfMessage, type ProtoIndex, type ProtoMessage } from '../load/protos.ts';
import type { ProblemList } from '../load/schema-errors.ts';

const scalars: Partial<Record<ScalarType, Schema>> = {
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.INT32]: { type: 'integer', format: 'int32' },
  [ScalarType.INT64]: { type: 'integer', format: 'int64' },
  [ScalarType.UINT32]: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 32 - 1 },
  [ScalarType.UINT64]: { type: 'integer', format: 'int64', minimum: 0 },
  [ScalarType.DOUBLE]: { type: 'number', format: 'double' },
  [ScalarType.BYTES]: { type: 'string', format: 'byte' },
};

/** Kubernetes' replacements for other scalars. */
const scalarHints: Partial<Record<ScalarType, string>> = {
  [ScalarType.FLOAT]: 'a float: write double',
  [ScalarType.SINT32]: 'a sint32: write int32',
  [ScalarType.SFIXED32]: 'an sfixed32: write int32',
  [ScalarType.FIXED32]: 'a fixed32: write uint32',
  [ScalarType.SINT64]: 'a sint64: write int64',
  [ScalarType.SFIXED64]: 'an sfixed64: write int64',
  [ScalarType.FIXED64]: 'a fixed64: write uint64',
};

const anything = 'write k8s.io.apimachinery.pkg.runtime.RawExtension';

/** Kubernetes' replacements for protobuf's well-known types, which have different JSON. */
const messageHints: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'write k8s.io.apimachinery.pkg.apis.meta.v1.Time',
  'google.protobuf.Duration': 'write k8s.io.apimachinery.pkg.apis.meta.v1.Duration',
  'google.protobuf.Struct': anything,
  'google.protobuf.Value': anything,
  'google.protobuf.ListValue': anything,
  'google.protobuf.Any': anything,
};

/** Returns the JSON name of a field: its own name, as in Kubernetes, unless the file sets another. */
export function jsonNameOf({ name, jsonName }: DescField): string {
  const usual = name.replace(/_(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  return jsonName === usual ? name : jsonName;
}

/** Makes schemas of messages, and reports the fields that have no JSON form in Kubernetes. */
export class MessageSchemas {
  readonly #index: ProtoIndex;
  readonly #problems: ProblemList;

  constructor(index: ProtoIndex, problems: ProblemList) {
    this.#index = index;
    this.#problems = problems;
  }

  schema({ desc, file }: ProtoMessage): Schema {
    const fault = faultOfMessage(desc);
    if (fault !== undefined) this.#problems.add(`${file}:${lineOfMessage(desc)}`, [desc.name], fault);
    const properties = desc.fields.map((field) => [jsonNameOf(field), this.#field(field, file)] as const);
    const required = desc.fields.filter(({ presence }) => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED);
    const alternatives = desc.oneofs.flatMap(({ fields }) => pairs(fields.map(jsonNameOf)));
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required: required.map(jsonNameOf) } : {}),
      // at most one member of a oneof is set
      ...(alternatives.length > 0 ? { not: { anyOf: alternatives.map((names) => ({ required: names })) } } : {}),
    };
  }

  #field(field: DescField, file: string): Schema {
    const found = this.#schemaOf(field);
    if (typeof found !== 'string') return found;
    const { parent, name } = field;
    const place = `${file}:${lineOfField(field)}`;
    this.#problems.add(place, [parent.name, name], `Kubernetes has no JSON for ${found}`);
    return {};
  }

  /** Returns a schema, or the reason why there is none. */
  #schemaOf(field: DescField): Schema | string {
    if (field.proto.defaultValue !== '') return 'a default: overlays have defaults';
    if (field.proto.options?.jstype === FieldOptions_JSType.JS_STRING) return 'a number that is a string: write string';
    if ('delimitedEncoding' in field && field.delimitedEncoding) return 'a group: write a message, and a field of it';
    if (hasRules(field.proto.options)) return `rules of another validator: ${validatedElsewhere}`;
    switch (field.fieldKind) {
      case 'enum':
        return 'an enum: write string';
      case 'list': {
        const items = this.#value(field.scalar, field.message);
        return typeof items === 'string' ? items : { type: 'array', items };
      }
      case 'map': {
        if (field.mapKey !== ScalarType.STRING) return 'a map whose keys are no strings';
        const additionalProperties = this.#value(field.scalar, field.message);
        return typeof additionalProperties === 'string' ? additionalProperties : { type: 'object', additionalProperties };
      }
      default:
        return this.#value(field.scalar, field.message);
    }
  }

  #value(scalar: ScalarType | undefined, message: DescMessage | undefined): Schema | string {
    if (message !== undefined) {
      const id = this.#index.byName.get(message.typeName)?.id;
      if (id !== undefined && !message.typeName.startsWith('google.protobuf.')) return { $ref: `#/components/schemas/${id}` };
      return `${message.typeName}: ${messageHints[message.typeName] ?? 'write an optional scalar'}`;
    }
    if (scalar === undefined) return 'an enum: write string';
    return scalars[scalar] ?? scalarHints[scalar] ?? 'this scalar';
  }
}

const validatedElsewhere = 'an overlay has rules, and OpenAPI has x-kubernetes-validations';

/** The numbers of the options of buf.validate and of protoc-gen-validate. */
const ruleNumbers: readonly number[] = [1159, 1071];

/** Reports whether options have rules that nothing would check. Other foreign options mean nothing to Kubernetes. */
const hasRules = (options: { readonly $unknown?: readonly { readonly no: number }[] | undefined } | undefined): boolean =>
  (options?.$unknown ?? []).some(({ no }) => ruleNumbers.includes(no));

/** Returns a statement of the message outside its fields that nothing would honour. */
function faultOfMessage({ proto }: DescMessage): string | undefined {
  if (proto.extensionRange.length > 0) return 'Kubernetes has no extensions: write them as fields';
  return hasRules(proto.options) ? `Kubernetes does not know rules of another validator: ${validatedElsewhere}` : undefined;
}

const pairs = (names: readonly string[]): [string, string][] =>
  names.flatMap((one, index) => names.slice(index + 1).map((other): [string, string] => [one, other]));
