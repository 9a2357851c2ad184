import type {
  ApiModel,
  CustomRule,
  FieldModel,
  FieldRule,
  GroupVersionModel,
  TypeId,
  TypeModel,
  TypeRef,
  ValidationRule,
} from '../model/model.ts';
import { calledType, isBySchema, messageId, perModel, typeById, typesContaining } from '../model/type-graph.ts';
import { conditionExpression, member } from '../print/expressions.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal } from '../print/literal.ts';
import { functionNames } from '../print/names.ts';
import type { RuntimeName } from '../print/symbols.ts';
import { fieldOf } from './fields.ts';
import { rulesOfMarkers } from './marker-rules.ts';

/**
 * Emits `validateX(object, field)` for each type of the group-version that has checks, itself or in a type below. The
 * order: the checks of its fields, its rules, the types of its fields. Kinds without checks get an empty function.
 * Kinds with rules for updates also get `validateUpdateX(object, old, field)`.
 */
export function emitValidate(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new ValidateEmitter(model, file);
  for (const type of groupVersion.types) {
    emitter.validate(type);
    emitter.validateUpdate(type);
  }
  return file.print();
}

const isUpdateRule = (rule: ValidationRule): rule is CustomRule => rule.check === 'custom' && rule.on === 'update';

/** The functions for checks that compare with one value. */
const valueChecks = {
  min: 'checkMin',
  max: 'checkMax',
  minLength: 'checkMinLength',
  maxLength: 'checkMaxLength',
  minItems: 'checkMinItems',
  maxItems: 'checkMaxItems',
  pattern: 'checkPattern',
  format: 'checkFormat',
} as const;

class ValidateEmitter {
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;
  readonly #facts: ValidationFacts;

  constructor(model: ApiModel, file: GeneratedFile) {
    this.#model = model;
    this.#file = file;
    this.#facts = validationFacts(model);
  }

  validate(type: TypeModel): void {
    const name = functionNames(type).validate;
    if (!this.#facts.wanted.has(type.id)) {
      if (type.gvk && !isBySchema(type)) this.#file.addConstant({ name, initializer: this.#check('nothingToValidate') });
      return;
    }
    this.#file.addFunction({
      name,
      parameters: [{ name: 'object', type: this.#file.type(type) }, this.#fieldParameter()],
      returnType: 'void',
      statements: [
        ...this.#facts.rulesOf(type).map((rule) => this.#rule(type, rule)),
        ...type.fields.flatMap((field) =>
          calledType(this.#model, type, field.type) === undefined
            ? []
            : (this.#descend(field.type, member('object', field.json), [literal(field.json)]) ?? []),
        ),
      ],
    });
  }

  validateUpdate(type: TypeModel): void {
    const name = functionNames(type).validateUpdate;
    if (name === undefined) return;
    const object = this.#file.type(type);
    this.#file.addFunction({
      name,
      parameters: [{ name: 'object', type: object }, { name: 'old', type: object }, this.#fieldParameter()],
      returnType: 'void',
      statements: type.rules.filter(isUpdateRule).map((rule) => guarded(rule, this.#overlayCall(rule.name, ['object', 'old']))),
    });
  }

  #fieldParameter(): { name: string; type: string } {
    return { name: 'field', type: this.#file.runtime('machinery/validation/field.ts', 'type Field') };
  }

  #rule(type: TypeModel, rule: ValidationRule): string {
    return guarded(
      rule,
      rule.check === 'custom' ? this.#overlayCall(rule.name, ['object']) : this.#fieldRule(type, fieldOf(type, rule.field), rule),
    );
  }

  #overlayCall(name: string, objects: readonly string[]): string {
    const given = objects.map((object) => this.#file.acrossReleases(object));
    return `${this.#file.overlayFunction('rules', name)}(${[...given, 'field'].join(', ')});`;
  }

  #fieldRule(type: TypeModel, field: FieldModel, rule: FieldRule): string {
    const value = member('object', field.json);
    const message = rule.message === undefined ? [] : [literal(rule.message)];
    const place = ['field', literal(field.json)];
    const call = (name: CheckName, ...values: string[]): string => `${this.#check(name)}(${[...values, ...place, ...message].join(', ')});`;
    switch (rule.check) {
      case 'required':
        // For Go types "" counts as absent, even behind a pointer. For others a set pointer is present.
        if (field.type.kind === 'message' || (field.pointer && !type.fromGoTypes)) return call('checkPresent', value);
        return call('checkRequired', !field.pointer && isNumber(field.type) ? `${value} || undefined` : value);
      case 'forbidden':
        return call('checkForbidden', value);
      case 'enum':
        return call('checkEnum', value, literal(rule.values));
      case 'unique':
        return rule.keys ? call('checkUniqueKeys', value, literal(rule.keys)) : call('checkUnique', value);
      default:
        return `${this.#check(valueChecks[rule.check])}(${[value, valueWithMessage(rule), ...place].join(', ')});`;
    }
  }

  /**
   * Returns the statement that validates the messages below a value; undefined if they have no checks.
   *
   * @param steps the expressions that lead from `field` to the value
   */
  #descend(ref: TypeRef, value: string, steps: readonly string[], depth = 0): string | undefined {
    const id = messageId(ref);
    if (id === undefined || !this.#facts.wanted.has(id)) return undefined;
    if (ref.kind === 'message') {
      const type = typeById(this.#model, ref.id);
      const name = this.#file.generated(type, 'validate.ts', functionNames(type).validate);
      const call = `${name}(${value}, ${childField(steps)});`;
      return depth === 0 ? `if (${value} != null) ${call}` : call;
    }
    if (ref.kind !== 'list' && ref.kind !== 'map') return undefined;
    const suffix = depth === 0 ? '' : String(depth + 1);
    const [step, name] = ref.kind === 'list' ? ['index', `index${suffix}`] : ['key', `key${suffix}`];
    const item = `item${suffix}`;
    const inner = this.#descend(ref.of, item, [...steps, `.${step}(${name})`], depth + 1);
    const entries = ref.kind === 'list' ? `(${value} ?? []).entries()` : `Object.entries(${value} ?? {})`;
    return `for (const [${name}, ${item}] of ${entries}) {\n  ${inner}\n}`;
  }

  #check(name: CheckName): string {
    return this.#file.runtime('structural/checks.ts', name);
  }
}

type CheckName = RuntimeName<'structural/checks.ts'>;

/** Returns a statement that runs if the rule's condition holds. */
const guarded = ({ when }: ValidationRule, statement: string): string =>
  when ? `if (${conditionExpression(when)}) ${statement}` : statement;

const isNumber = (ref: TypeRef): boolean => ref.kind === 'scalar' && ref.name !== 'string' && ref.name !== 'bool' && ref.name !== 'bytes';

const childField = ([field, ...rest]: readonly string[]): string => `field.child(${field})${rest.join('')}`;

interface ValidationFacts {
  /** The types with checks, in themselves or in a type below. */
  readonly wanted: ReadonlySet<TypeId>;
  rulesOf(type: TypeModel): readonly ValidationRule[];
}

const validationFacts = perModel((model): ValidationFacts => {
  const reported = reportedTypes(model);
  const rulesOf = (type: TypeModel): readonly ValidationRule[] => [
    ...(type.userDefined || reported.has(type.id) ? [] : type.fields.flatMap(enumRule)),
    ...type.fields.flatMap(rulesOfMarkers),
    ...type.rules.filter((rule) => !isUpdateRule(rule)),
  ];
  return { wanted: typesContaining(model, (type) => rulesOf(type).length > 0), rulesOf };
});

/** Reports whether a type has a function that validates it. */
export const isValidated = (model: ApiModel, type: TypeModel): boolean => validationFacts(model).wanted.has(type.id);

/** Returns the argument of a check: its value, with the message if that is not the usual one. */
const valueWithMessage = ({ value, message }: { readonly value: string | number; readonly message?: string }): string =>
  literal(message === undefined ? value : { value, message });

function enumRule(field: FieldModel): FieldRule[] {
  const values = field.enum ?? [];
  const isText = (ref: TypeRef): boolean => ref.kind === 'scalar' && ref.name === 'string';
  if (field.openEnum || values.length === 0 || !(isText(field.type) || (field.type.kind === 'list' && isText(field.type.of)))) return [];
  return [{ field: field.json, check: 'enum', values: [...values].sort() }];
}

/**
 * Returns the Go types that occur only below `status`: upstream does not check the enumerations that controllers report
 * there.
 */
function reportedTypes(model: ApiModel): ReadonlySet<TypeId> {
  const written = new Set<TypeId>();
  const queue = [...model.types.values()].filter((type) => type.gvk || !type.fromGoTypes).map(({ id }) => id);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (written.has(id)) continue;
    written.add(id);
    const type = model.types.get(id);
    for (const field of type?.fields ?? []) {
      const target = messageId(field.type);
      if (target !== undefined && !(type?.gvk && field.json === 'status')) queue.push(target);
    }
  }
  return new Set([...model.types.keys()].filter((id) => !written.has(id)));
}
