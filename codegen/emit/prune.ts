import type { ApiModel, FieldModel, GroupVersionModel, SpecialName, TypeModel, TypeRef } from '../model/model.ts';
import { goTypeName } from '../model/names.ts';
import { schemaPropsType, typeById } from '../model/type-graph.ts';
import { functionNames } from '../print/function-names.ts';
import { Imports } from '../print/imports.ts';
import { text } from '../print/literal.ts';
import { isInherited, member } from '../print/names.ts';
import type { RuntimeSymbol } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';

const scalarGoTypes: Readonly<Record<string, string>> = { double: 'float64', bytes: '[]uint8' };

const specialPrunes: Readonly<Record<SpecialName, RuntimeSymbol>> = {
  Quantity: 'quantity',
  IntOrString: 'intOrString',
  Time: 'time',
  MicroTime: 'microTime',
  Duration: 'duration',
  RawExtension: 'untyped',
  FieldsV1: 'untyped',
  JSON: 'untyped',
  JSONSchemaPropsOrBool: 'schemaOrBool',
  JSONSchemaPropsOrArray: 'schemaOrArray',
  JSONSchemaPropsOrStringArray: 'schemaOrStringArray',
  Verbs: 'list',
  Unknown: 'untyped',
};

/**
 * `pruneX(value, context)` for each type of the group-version: reads a JSON value as Go reads it into the struct, and
 * gives what Go would write. runtime/machinery/prune/context.ts says what that means.
 */
export function emitPrune(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const writer = new PruneWriter(groupVersion, model, context);
  const functions = groupVersion.types.map((type) => writer.prune(type));
  if (functions.length === 0) return `${context.header}\nexport {};\n`;
  return `${context.header}${writer.imports}\n${functions.join('\n')}`;
}

class PruneWriter {
  readonly imports: Imports;
  readonly #model: ApiModel;

  constructor(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext) {
    this.#model = model;
    this.imports = new Imports(model, groupVersion.folder, context.runtime);
  }

  prune(type: TypeModel): string {
    const known = `known${type.name}`;
    const fields = withTypeMeta(type);
    const names = fields.map(({ json }) => text(json)).join(', ');
    return [
      `const ${known}: ReadonlySet<string> = new Set([${names}]);\n\n`,
      `export function ${functionNames(type).prune}(value: unknown, context: ${this.imports.use('PruneContext')}, struct = '', field = ''): ${this.imports.type(type)} {\n`,
      `  const input = context.enter(value, struct, field, ${text(goTypeName(type))});\n`,
      '  const output: { [field: string]: unknown } = {};\n',
      ...fields.map((field) => this.#field(type, field)),
      `  context.leave(input, ${known}, field);\n`,
      `  return output as unknown as ${this.imports.type(type)};\n`,
      '}\n',
    ].join('');
  }

  #field(type: TypeModel, field: FieldModel): string {
    const input = isInherited(field.json)
      ? `${this.imports.use('memberOf')}(input, ${text(field.json)})`
      : member('input', field.json);
    const value = this.#value(field.type, input, text(type.name), text(field.json), field.goType);
    const assign =
      field.json === '__proto__'
        ? `${this.imports.use('setMember')}(output, '__proto__', ${value})`
        : `${member('output', field.json)} = ${value}`;
    if (field.omitZero && field.type.kind === 'special' && !field.pointer) {
      // Of the types with a form of their own only times are null when zero.
      return `  if (${input} != null) {\n    const value = ${value};\n    if (value !== null) ${member('output', field.json)} = value;\n  }\n`;
    }
    if (field.pointer && !field.omitEmpty && !field.omitZero && field.json !== '__proto__')
      return `  ${member('output', field.json)} = ${input} == null ? null : ${value};\n`;
    const condition = this.#condition(field, input);
    return condition === undefined ? `  ${assign};\n` : `  if (${condition}) ${assign};\n`;
  }

  /** When the field is written; undefined for always. */
  #condition(field: FieldModel, input: string): string | undefined {
    const { type } = field;
    const omits = field.omitEmpty || field.omitZero;
    if (type.kind === 'list' || type.kind === 'map') {
      if (field.pointer) return `${input} != null`;
      if (!omits) return undefined;
      return `!${this.imports.use(type.kind === 'list' ? 'isEmptyList' : 'isEmptyMap')}(${input})`;
    }
    if (field.pointer) return `${input} != null`;
    if (type.kind !== 'scalar') return field.omitZero ? `${input} != null` : undefined;
    if (!omits) return undefined;
    const zero = type.name === 'string' || type.name === 'bytes' ? "''" : type.name === 'bool' ? 'false' : '0';
    return `${input} != null && ${input} !== ${zero}`;
  }

  #value(ref: TypeRef, input: string, struct: string, field: string, goType: string): string {
    const where = `${input}, context, ${struct}, ${field}`;
    switch (ref.kind) {
      case 'scalar': {
        const plain = scalarGoTypes[ref.name] ?? ref.name;
        return `${this.imports.use(ref.name)}(${where}${plain === goType ? '' : `, ${text(goType)}`})`;
      }
      case 'message': {
        const type = typeById(this.#model, ref.id);
        return `${this.imports.generated(type, 'prune.ts', functionNames(type).prune)}(${where})`;
      }
      case 'special':
        return this.#special(ref.name, input, where);
      case 'list':
      case 'map':
        return `${this.imports.use(ref.kind)}(${where}, ${text(goType)}, ${this.#item(ref.of)})`;
    }
  }

  #special(name: SpecialName, input: string, where: string): string {
    const prune = this.imports.use(specialPrunes[name]);
    if (prune === 'quantity' || prune === 'untyped') return `${prune}(${input})`;
    if (prune === 'list') return `list(${where}, 'v1.Verbs', ${this.imports.use('string')})`;
    return prune.startsWith('schemaOr') ? `${prune}(${where}, ${this.#schemaProps()})` : `${prune}(${where})`;
  }

  #schemaProps(): string {
    const type = schemaPropsType(this.#model);
    return this.imports.generated(type, 'prune.ts', functionNames(type).prune);
  }

  /** A function for the elements of a list or map. */
  #item(ref: TypeRef): string {
    if (ref.kind === 'scalar') return this.imports.use(ref.name);
    if (ref.kind === 'message') {
      const type = typeById(this.#model, ref.id);
      return this.imports.generated(type, 'prune.ts', functionNames(type).prune);
    }
    if (ref.kind === 'special' && !specialPrunes[ref.name].startsWith('schemaOr') && ref.name !== 'Verbs')
      return this.imports.use(specialPrunes[ref.name]);
    const value =
      ref.kind === 'special'
        ? this.#special(ref.name, 'item', 'item, context, struct, field')
        : `${this.imports.use(ref.kind)}(item, context, struct, field, goType, ${this.#item(ref.of)})`;
    const parameters = ref.kind === 'special' ? 'item, context, struct, field' : 'item, context, struct, field, goType';
    return `(${parameters}) => ${value}`;
  }
}

const typeMeta = (json: string): FieldModel => ({
  json,
  type: { kind: 'scalar', name: 'string' },
  goType: 'string',
  pointer: false,
  omitEmpty: true,
  omitZero: false,
  required: false,
  markers: [],
});

/** The fields of a type; kinds have kind and apiVersion first. */
export function withTypeMeta(type: TypeModel): readonly FieldModel[] {
  if (!type.gvk) return type.fields;
  const rest = type.fields.filter(({ json }) => json !== 'kind' && json !== 'apiVersion');
  return [typeMeta('kind'), typeMeta('apiVersion'), ...rest];
}
