import type { ApiModel, FieldModel, GroupVersionModel, SpecialName, TypeModel, TypeRef } from '../model/model.ts';
import { goTypeName } from '../model/names.ts';
import { isBySchema, schemaPropsType, typeById } from '../model/type-graph.ts';
import { member } from '../print/expressions.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal } from '../print/literal.ts';
import { functionNames, isInherited } from '../print/names.ts';
import type { RuntimeName } from '../print/symbols.ts';
import { fieldsOnRead } from './fields.ts';

const scalarGoTypes: Readonly<Record<string, string>> = { double: 'float64', bytes: '[]uint8' };

/** The functions of machinery/prune/special-types. Verbs are pruned as lists. */
const specialPrunes: Readonly<Record<Exclude<SpecialName, 'Verbs'>, RuntimeName<'machinery/prune/special-types.ts'>>> = {
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
  Unknown: 'untyped',
};

/**
 * Emits `pruneX(value, context)` for each type of the group-version. It reads a JSON value as Go reads it into the
 * struct, and returns the JSON that Go would write. See runtime/machinery/prune/context.ts.
 */
export function emitPrune(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new PruneEmitter(model, file);
  for (const type of groupVersion.types.filter((each) => !isBySchema(each))) emitter.prune(type);
  return file.print();
}

class PruneEmitter {
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;

  constructor(model: ApiModel, file: GeneratedFile) {
    this.#model = model;
    this.#file = file;
  }

  prune(type: TypeModel): void {
    const known = `known${type.name}`;
    const fields = fieldsOnRead(type);
    this.#file.addConstant({
      name: known,
      type: 'ReadonlySet<string>',
      initializer: `new Set(${literal(fields.map(({ json }) => json))})`,
      isExported: false,
    });
    this.#file.addFunction({
      name: functionNames(type).prune,
      parameters: [
        { name: 'value', type: 'unknown' },
        { name: 'context', type: this.#file.runtime('machinery/prune/context.ts', 'type PruneContext') },
        { name: 'field', initializer: "''" },
      ],
      returnType: this.#file.type(type),
      statements: [
        `const input = context.enter(value, field, ${literal(goTypeName(type))});`,
        'const output: { [field: string]: unknown } = {};',
        ...fields.map((field) => this.#field(field)),
        `context.leave(input, ${known}, field, output);`,
        `return output as unknown as ${this.#file.type(type)};`,
      ],
    });
  }

  #field(field: FieldModel): string {
    const input = isInherited(field.json)
      ? `${this.#file.runtime('machinery/json/values.ts', 'memberOf')}(input, ${literal(field.json)})`
      : member('input', field.json);
    const path = [...(field.embeddedIn ?? []), field.json].join('.');
    const value = this.#value(field.type, input, literal(path), field.goType);
    const output = member('output', field.json);
    const assign =
      field.json === '__proto__'
        ? `${this.#file.runtime('machinery/json/values.ts', 'setMember')}(output, '__proto__', ${value})`
        : `${output} = ${value}`;
    if (field.omitZero && field.type.kind === 'special' && !field.pointer) {
      // Among the types with their own JSON form, only times are null when zero.
      return `if (${input} != null) {\n  const value = ${value};\n  if (value !== null) ${output} = value;\n}`;
    }
    if (field.pointer && !field.omitEmpty && !field.omitZero && field.json !== '__proto__')
      return `${output} = ${input} == null ? null : ${value};`;
    const condition = this.#condition(field, input);
    return condition === undefined ? `${assign};` : `if (${condition}) ${assign};`;
  }

  /** Returns the condition for writing the field; undefined for always. */
  #condition(field: FieldModel, input: string): string | undefined {
    const { type } = field;
    const omits = field.omitEmpty || field.omitZero;
    if (type.kind === 'list' || type.kind === 'map') {
      if (field.pointer || field.keptEmpty) return `${input} != null`;
      if (!omits) return undefined;
      return `!${this.#values(type.kind === 'list' ? 'isEmptyList' : 'isEmptyMap')}(${input})`;
    }
    if (field.pointer) return `${input} != null`;
    if (type.kind !== 'scalar') return field.omitZero ? `${input} != null` : undefined;
    if (!omits) return undefined;
    const zero = type.name === 'string' || type.name === 'bytes' ? "''" : type.name === 'bool' ? 'false' : '0';
    return `${input} != null && ${input} !== ${zero}`;
  }

  /** @param name the field's name as an expression */
  #value(ref: TypeRef, input: string, name: string, goType: string): string {
    switch (ref.kind) {
      case 'scalar': {
        const plain = scalarGoTypes[ref.name] ?? ref.name;
        return `${this.#values(ref.name)}(${input}, context, ${name}${plain === goType ? '' : `, ${literal(goType)}`})`;
      }
      case 'message':
        return `${this.#pruneOf(typeById(this.#model, ref.id))}(${input}, context, ${name})`;
      case 'special':
        return this.#special(ref.name, input, name);
      case 'list':
      case 'map':
        return `context.${ref.kind}(${input}, ${name}, ${literal(goType)}, ${this.#item(ref.of)})`;
    }
  }

  #special(type: SpecialName, input: string, name: string): string {
    if (type === 'Verbs') return `context.list(${input}, ${name}, 'v1.Verbs', ${this.#values('string')})`;
    const prune = this.#file.runtime('machinery/prune/special-types.ts', specialPrunes[type]);
    if (prune === 'quantity' || prune === 'untyped') return `${prune}(${input})`;
    return isSchema(type)
      ? `${prune}(${input}, context, ${name}, ${this.#pruneOf(schemaPropsType(this.#model))})`
      : `${prune}(${input}, context, ${name})`;
  }

  /** Returns a function for the elements of a list or map. */
  #item(ref: TypeRef): string {
    if (ref.kind === 'scalar') return this.#values(ref.name);
    if (ref.kind === 'message') return this.#pruneOf(typeById(this.#model, ref.id));
    if (ref.kind !== 'special') return `(item, context, field, goType) => context.${ref.kind}(item, field, goType, ${this.#item(ref.of)})`;
    if (ref.name !== 'Verbs' && !isSchema(ref.name)) return this.#file.runtime('machinery/prune/special-types.ts', specialPrunes[ref.name]);
    return `(item, context, field) => ${this.#special(ref.name, 'item', 'field')}`;
  }

  #pruneOf(type: TypeModel): string {
    return this.#file.generated(type, 'prune.ts', functionNames(type).prune);
  }

  #values(name: RuntimeName<'machinery/prune/values.ts'>): string {
    return this.#file.runtime('machinery/prune/values.ts', name);
  }
}

const isSchema = (name: SpecialName): boolean => name.startsWith('JSONSchemaPropsOr');
