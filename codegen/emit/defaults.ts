import type { ApiModel, Condition, DefaultRule, FieldModel, GroupVersionModel, TypeModel, TypeRef } from '../model/model.ts';
import { calledType, isBySchema, typeById, typesContaining } from '../model/type-graph.ts';
import { conditionExpression, member, memberPath } from '../print/expressions.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal } from '../print/literal.ts';
import { functionNames } from '../print/names.ts';
import { fieldOf } from './fields.ts';

/**
 * Emits `setDefaultsX(object)` for each type of the group-version that has defaults, itself or in a type below. The
 * order: its own rules, the defaults of its fields, the types of its fields. Kinds without defaults get an empty
 * function.
 */
export function emitDefaults(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new DefaultsEmitter(model, file);
  for (const type of groupVersion.types) emitter.setDefaults(type);
  return file.print();
}

const hasDefaults = (type: TypeModel): boolean => type.defaults.length > 0 || defaultFields(type).length > 0;

/** Returns the fields whose defaults this code sets. The kind's schema sets the others. */
const defaultFields = (type: TypeModel): readonly FieldModel[] => (isBySchema(type) ? [] : type.fields.filter(hasDefault));

/** A field that is no pointer has its zero value without a default; Go writes or omits it by its tag. */
const hasDefault = ({ default: value, pointer }: FieldModel): boolean =>
  value !== undefined && (pointer || (value !== '' && value !== 0 && value !== false));

/** Reports whether a type has a function that sets defaults. */
export const setsDefaults = (model: ApiModel, type: TypeModel): boolean => typesContaining(model, hasDefaults).has(type.id);

class DefaultsEmitter {
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;
  readonly #wanted: ReadonlySet<string>;

  constructor(model: ApiModel, file: GeneratedFile) {
    this.#model = model;
    this.#file = file;
    this.#wanted = typesContaining(model, hasDefaults);
  }

  setDefaults(type: TypeModel): void {
    const name = functionNames(type).setDefaults;
    if (!this.#wanted.has(type.id)) {
      if (type.gvk && !isBySchema(type))
        this.#file.addConstant({ name, initializer: this.#file.runtime('machinery/resource.ts', 'nothingToDefault') });
      return;
    }
    this.#file.addFunction({
      name,
      parameters: [{ name: 'object', type: this.#file.type(type) }],
      returnType: 'void',
      statements: [
        ...type.defaults.map((rule) => this.#rule(type, rule)),
        ...defaultFields(type).map((field) => this.#fieldDefault(field)),
        ...type.fields.flatMap((field) =>
          calledType(this.#model, type, field.type) === undefined
            ? []
            : (this.#descend(field.type, member('object', field.json), 'item', true) ?? []),
        ),
      ],
    });
  }

  #fieldDefault(field: FieldModel): string {
    return assign(field, literal(field.default), []);
  }

  #rule(type: TypeModel, rule: DefaultRule): string {
    if ('custom' in rule) return `${this.#file.overlayFunction('defaults', rule.custom)}(${this.#file.acrossReleases('object')});`;
    const field = fieldOf(type, rule.field);
    const when = conditionsOf(rule.when);
    if (!('from' in rule)) return assign(field, literal(rule.value), when);
    const source = memberPath(rule.from);
    const copy = `${this.#file.runtime('machinery/json/clone.ts', 'cloneJson')}(${source})`;
    return assign(field, copy, [...when, `${source} != null`]);
  }

  /** Returns the statement that sets the defaults below a value; undefined if there are none. */
  #descend(ref: TypeRef, value: string, item: string, isOptional: boolean): string | undefined {
    if (ref.kind === 'message') {
      if (!this.#wanted.has(ref.id)) return undefined;
      const type = typeById(this.#model, ref.id);
      const call = `${this.#file.generated(type, 'defaults.ts', functionNames(type).setDefaults)}(${value});`;
      return isOptional ? `if (${value} != null) ${call}` : call;
    }
    if (ref.kind !== 'list' && ref.kind !== 'map') return undefined;
    const inner = this.#descend(ref.of, item, `${item}s`, false);
    if (inner === undefined) return undefined;
    const values = ref.kind === 'list' ? `${value} ?? []` : `Object.values(${value} ?? {})`;
    return `for (const ${item} of ${values}) ${inner}`;
  }
}

const conditionsOf = (when: Condition | undefined): string[] => (when ? [conditionExpression(when)] : []);

/**
 * Returns a statement that sets a field if it is absent (or zero, for scalars without a pointer) and all conditions
 * hold.
 */
function assign(field: FieldModel, value: string, conditions: readonly string[]): string {
  const target = member('object', field.json);
  const absent = field.type.kind === 'scalar' && !field.pointer ? `!${target}` : `${target} == null`;
  return `if (${[absent, ...conditions].join(' && ')}) ${target} = ${value};`;
}
