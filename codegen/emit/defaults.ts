import type {
  ApiModel,
  Condition,
  DefaultRule,
  FieldModel,
  GroupVersionModel,
  TypeModel,
  TypeRef,
} from '../model/model.ts';
import { typeById, typesContaining } from '../model/type-graph.ts';
import { functionNames } from '../print/function-names.ts';
import { Imports } from '../print/imports.ts';
import { text } from '../print/literal.ts';
import { member } from '../print/names.ts';
import { conditionText, pathText } from './condition.ts';
import type { EmitContext } from './context.ts';

/**
 * `setDefaultsX(object)` for each type of the group-version that has something to default, itself or below: its own
 * rules, then the defaults of its fields, then the types of its fields. Kinds that have nothing get a function that
 * does nothing.
 */
export function emitDefaults(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const imports = new Imports(model, groupVersion.folder, context.runtime);
  const writer = new DefaultsWriter(model, imports);
  const functions = groupVersion.types.flatMap((type) => writer.setDefaults(type));
  if (functions.length === 0) return `${context.header}\nexport {};\n`;
  return `${context.header}${imports}\n${functions.join('\n')}`;
}

const hasDefaults = (type: TypeModel): boolean =>
  type.defaults.length > 0 || type.fields.some((field) => field.default !== undefined);

class DefaultsWriter {
  readonly #model: ApiModel;
  readonly #imports: Imports;
  readonly #wanted: ReadonlySet<string>;

  constructor(model: ApiModel, imports: Imports) {
    this.#model = model;
    this.#imports = imports;
    this.#wanted = typesContaining(model, hasDefaults);
  }

  setDefaults(type: TypeModel): string[] {
    const name = functionNames(type).setDefaults;
    if (!this.#wanted.has(type.id))
      return type.gvk ? [`export const ${name} = ${this.#imports.use('nothingToDefault')};\n`] : [];
    const body = [
      ...type.defaults.map((rule) => this.#rule(type, rule)),
      ...type.fields.filter((field) => field.default !== undefined).map((field) => this.#fieldDefault(field)),
      ...type.fields.map((field) => this.#nested(field)),
    ];
    return [`export function ${name}(object: ${this.#imports.type(type)}): void {\n${body.join('')}}\n`];
  }

  #fieldDefault(field: FieldModel): string {
    return this.#assign(field, text(field.default), undefined);
  }

  #rule(type: TypeModel, rule: DefaultRule): string {
    if ('custom' in rule) return `  ${this.#imports.named('defaults', rule.custom)}(object);\n`;
    const field = fieldOf(type, rule.field);
    const value = 'from' in rule ? `${this.#imports.use('cloneJson')}(${pathText(rule.from)})` : text(rule.value);
    return this.#assign(field, value, rule.when, 'from' in rule ? `${pathText(rule.from)} != null` : undefined);
  }

  #assign(field: FieldModel, value: string, when: Condition | undefined, also?: string): string {
    const target = member('object', field.json);
    const isScalar = field.type.kind === 'scalar';
    const absent = isScalar && !field.pointer ? `!${target}` : `${target} == null`;
    const conditions = [absent, ...(when ? [conditionText(when)] : []), ...(also ? [also] : [])];
    return `  if (${conditions.join(' && ')}) ${target} = ${value};\n`;
  }

  #nested(field: FieldModel): string {
    return this.#descend(field.type, member('object', field.json), 'item', true);
  }

  #descend(ref: TypeRef, value: string, item: string, optional: boolean): string {
    if (ref.kind === 'message') {
      if (!this.#wanted.has(ref.id)) return '';
      const type = typeById(this.#model, ref.id);
      const call = `${this.#imports.generated(type, 'defaults.ts', functionNames(type).setDefaults)}(${value});\n`;
      return optional ? `  if (${value} != null) ${call}` : `  ${call}`;
    }
    if (ref.kind !== 'list' && ref.kind !== 'map') return '';
    const inner = this.#descend(ref.of, item, `${item}s`, false).trim();
    if (inner === '') return '';
    const values = ref.kind === 'list' ? `${value} ?? []` : `Object.values(${value} ?? {})`;
    return `  for (const ${item} of ${values}) ${inner}\n`;
  }
}

/** Overlays are written by hand: a field that is not there is a mistake in one. */
export function fieldOf(type: TypeModel, name: string): FieldModel {
  const field = type.fields.find(({ json }) => json === name);
  if (!field) throw new Error(`${type.id}: a rule names the field ${JSON.stringify(name)}, which the type has not`);
  return field;
}
