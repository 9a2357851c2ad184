import type {
  ApiModel,
  FieldModel,
  FieldRule,
  GroupVersionModel,
  TypeId,
  TypeModel,
  TypeRef,
  ValidationRule,
} from '../model/model.ts';
import { messageId, typeById, typesContaining } from '../model/type-graph.ts';
import { functionNames } from '../print/function-names.ts';
import { Imports } from '../print/imports.ts';
import { text } from '../print/literal.ts';
import { member } from '../print/names.ts';
import type { RuntimeSymbol } from '../print/symbols.ts';
import { conditionText } from './condition.ts';
import type { EmitContext } from './context.ts';
import { fieldOf } from './defaults.ts';
import { rulesOfMarkers } from './marker-rules.ts';

/**
 * `validateX(object, field)` for each type of the group-version that has something to check, itself or below:
 * its fields' checks, its rules, then the types of its fields. Kinds that have nothing get a function that does
 * nothing; kinds with rules for updates also get `validateUpdateX(object, old, field)`.
 */
export function emitValidate(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const imports = new Imports(model, groupVersion.folder, context.runtime);
  const writer = new ValidateWriter(model, imports);
  const functions = groupVersion.types.flatMap((type) => [...writer.validate(type), ...writer.validateUpdate(type)]);
  if (functions.length === 0) return `${context.header}\nexport {};\n`;
  return `${context.header}${imports}\n${functions.join('\n')}`;
}

const isUpdateRule = (rule: ValidationRule): boolean => rule.check === 'custom' && rule.on === 'update';

class ValidateWriter {
  readonly #model: ApiModel;
  readonly #imports: Imports;
  readonly #facts: ValidationFacts;

  constructor(model: ApiModel, imports: Imports) {
    this.#model = model;
    this.#imports = imports;
    this.#facts = factsOf(model);
  }

  validate(type: TypeModel): string[] {
    const name = functionNames(type).validate;
    if (!this.#facts.wanted.has(type.id))
      return type.gvk ? [`export const ${name} = ${this.#imports.use('nothingToValidate')};\n`] : [];
    const body = [
      ...this.#facts.rulesOf(type).map((rule) => this.#rule(type, rule)),
      ...type.fields.map((field) => this.#descend(field.type, member('object', field.json), [text(field.json)])),
    ];
    return [
      `export function ${name}(object: ${this.#imports.type(type)}, ${this.#parameters()}): void {\n${body.join('')}}\n`,
    ];
  }

  validateUpdate(type: TypeModel): string[] {
    const name = functionNames(type).validateUpdate;
    if (name === undefined) return [];
    const calls = type.rules.filter(isUpdateRule).map((rule) => {
      const call = `${this.#imports.named('rules', (rule as { name: string }).name)}(object, old, field);\n`;
      return rule.when ? `  if (${conditionText(rule.when)}) ${call}` : `  ${call}`;
    });
    const object = this.#imports.type(type);
    return [
      `export function ${name}(object: ${object}, old: ${object}, ${this.#parameters()}): void {\n${calls.join('')}}\n`,
    ];
  }

  #parameters(): string {
    return `field: ${this.#imports.use('Field')}`;
  }

  #rule(type: TypeModel, rule: ValidationRule): string {
    const call =
      rule.check === 'custom'
        ? `${this.#imports.named('rules', rule.name)}(object, field);\n`
        : this.#check(type, fieldOf(type, rule.field), rule);
    return rule.when ? `  if (${conditionText(rule.when)}) ${call}` : `  ${call}`;
  }

  #check(type: TypeModel, field: FieldModel, rule: FieldRule): string {
    const value = member('object', field.json);
    const where = `field, ${text(field.json)}`;
    const message = rule.message === undefined ? '' : `, ${text(rule.message)}`;
    const call = (name: RuntimeSymbol, ...args: unknown[]): string =>
      `${this.#imports.use(name)}(${[value, ...args.map(text)].join(', ')}, ${where}${message});\n`;
    switch (rule.check) {
      case 'required':
        // Go's own code takes "" for absent; elsewhere a pointer that is set is there, whatever it points to.
        if (field.type.kind === 'message' || (field.pointer && !type.byGo)) return call('checkPresent');
        if (!field.pointer && isNumber(field.type))
          return `${this.#imports.use('checkRequired')}(${value} || undefined, ${where}${message});\n`;
        return call('checkRequired');
      case 'forbidden':
        return call('checkForbidden');
      case 'enum':
        return `${this.#imports.use('checkEnum')}(${value}, ${text(rule.values)}, ${where});\n`;
      case 'unique':
        return rule.keys ? call('checkUniqueKeys', rule.keys) : call('checkUnique');
      default:
        return call(`check${rule.check.charAt(0).toUpperCase()}${rule.check.slice(1)}` as RuntimeSymbol, rule.value);
    }
  }

  /** Validates the messages below a field; `steps` are the expressions that lead from `field` to the value. */
  #descend(ref: TypeRef, value: string, steps: readonly string[], depth = 0): string {
    const id = messageId(ref);
    if (id === undefined || !this.#facts.wanted.has(id)) return '';
    if (ref.kind === 'message') {
      const type = typeById(this.#model, ref.id);
      const name = this.#imports.generated(type, 'validate.ts', functionNames(type).validate);
      const call = `${name}(${value}, ${fieldAt(steps)});\n`;
      return depth === 0 ? `  if (${value} != null) ${call}` : `  ${call}`;
    }
    const suffix = depth === 0 ? '' : String(depth + 1);
    const [index, item] = [`index${suffix}`, `item${suffix}`];
    if (ref.kind === 'list') {
      const inner = this.#descend(ref.of, item, [...steps, `.index(${index})`], depth + 1);
      return `  for (const [${index}, ${item}] of (${value} ?? []).entries()) {\n${inner}  }\n`;
    }
    const key = `key${suffix}`;
    const inner = this.#descend((ref as { of: TypeRef }).of, item, [...steps, `.key(${key})`], depth + 1);
    return `  for (const [${key}, ${item}] of Object.entries(${value} ?? {})) {\n${inner}  }\n`;
  }
}

const isNumber = (ref: TypeRef): boolean =>
  ref.kind === 'scalar' && ref.name !== 'string' && ref.name !== 'bool' && ref.name !== 'bytes';

const fieldAt = ([name, ...rest]: readonly string[]): string => `field.child(${name})${rest.join('')}`;

interface ValidationFacts {
  readonly wanted: ReadonlySet<TypeId>;
  rulesOf(type: TypeModel): readonly ValidationRule[];
}

const known = new WeakMap<ApiModel, ValidationFacts>();

function factsOf(model: ApiModel): ValidationFacts {
  const cached = known.get(model);
  if (cached) return cached;
  const reported = reportedTypes(model);
  const rulesOf = (type: TypeModel): readonly ValidationRule[] => [
    ...(reported.has(type.id) ? [] : type.fields.flatMap(enumRule)),
    ...type.fields.flatMap(rulesOfMarkers),
    ...type.rules.filter((rule) => !isUpdateRule(rule)),
  ];
  const facts = { wanted: typesContaining(model, (type) => rulesOf(type).length > 0), rulesOf };
  known.set(model, facts);
  return facts;
}

function enumRule(field: FieldModel): FieldRule[] {
  const values = field.enum ?? [];
  const isText = (ref: TypeRef): boolean => ref.kind === 'scalar' && ref.name === 'string';
  if (values.length === 0 || !(isText(field.type) || (field.type.kind === 'list' && isText(field.type.of)))) return [];
  return [{ field: field.json, check: 'enum', values: [...values].sort() }];
}

/**
 * Go types that only stand below `status`: upstream takes what a controller reports there without looking at its
 * enumerations.
 */
function reportedTypes(model: ApiModel): ReadonlySet<TypeId> {
  const written = new Set<TypeId>();
  const queue = [...model.types.values()].filter((type) => type.gvk || !type.byGo).map(({ id }) => id);
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
