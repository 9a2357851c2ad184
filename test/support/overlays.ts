import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Condition, OverlayDocument } from '../../codegen/model/model.ts';
import * as defaults from '../../runtime/kinds/overlays/defaults.ts';
import * as rules from '../../runtime/kinds/overlays/validation.ts';
import { Field } from '../../runtime/machinery/validation/field.ts';
import type { FieldError } from '../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../runtime/machinery/validation/field-path.ts';
import { goPackage, type TypeBook } from './go-types.ts';
import type { TestValue } from './test-object.ts';

const folder = fileURLToPath(new URL('../../schemas/overlays', import.meta.url));

/** Reads all overlays by folder, for example `core/v1`. */
export const readOverlays = (): Map<string, OverlayDocument> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('/') && file.endsWith('.yaml'))
      .sort()
      .map((file) => [file.replace(/\.yaml$/, ''), parse(readFileSync(join(folder, file), 'utf8'))]),
  );

/** A slow interpreter of overlays, in place of the generated code. */
export class OverlayInterpreter {
  readonly #types: TypeBook;
  readonly #overlays = new Map<string, OverlayDocument>();

  constructor(types: TypeBook) {
    this.#types = types;
    for (const [name, overlay] of readOverlays()) this.#overlays.set(goPackage(name), overlay);
  }

  setDefaults(inPackage: string, type: string, object: TestValue): void {
    for (const rule of this.#overlays.get(inPackage)?.types?.[bare(type)]?.defaults ?? []) {
      if ('custom' in rule) (defaults as Record<string, TestValue>)[rule.custom](object);
      else if (!object[rule.field] && object[rule.field] !== false && object[rule.field] !== 0 && holds(rule.when, object)) {
        object[rule.field] = 'value' in rule ? structuredClone(rule.value) : structuredClone(object[rule.from]);
      }
    }
    for (const protocol of protocols) if (protocol === bare(type)) object.protocol ||= 'TCP';
    this.#eachField(inPackage, type, object, (nested, of) => this.setDefaults(of.inPackage, of.type, nested));
  }

  validate(inPackage: string, type: string, object: TestValue, path = FieldPath.root): FieldError[] {
    const errors: FieldError[] = [];
    for (const rule of this.#overlays.get(inPackage)?.types?.[bare(type)]?.rules ?? []) {
      if (rule.check === 'custom' && rule.on !== 'update') (rules as Record<string, TestValue>)[rule.name](object, Field.at(path, errors));
    }
    this.#eachField(inPackage, type, object, (nested, of, at) => {
      errors.push(...this.validate(of.inPackage, of.type, nested, at(path)));
    });
    return errors;
  }

  #eachField(
    inPackage: string,
    type: string,
    object: TestValue,
    visit: (value: TestValue, of: { type: string; inPackage: string }, at: (path: FieldPath) => FieldPath) => void,
  ): void {
    for (const [name, of] of this.#types.fields(inPackage, type) ?? []) {
      const value = object?.[name];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) visit(item, of, (path) => path.child(name).index(index));
      } else visit(value, of, (path) => path.child(name));
    }
  }
}

/** Types whose protocol has a default in its Go source. */
const protocols = ['ContainerPort', 'ServicePort'];

const bare = (type: string): string => type.replace(/^\[\]/, '').replace(/^.*\./, '');

function holds(condition: Condition | undefined, object: TestValue): boolean {
  return Object.entries(condition ?? {}).every(([field, wanted]) => {
    if (typeof wanted !== 'object') return object[field] === wanted;
    if ('present' in wanted) return (object[field] !== undefined) === wanted.present;
    return 'in' in wanted ? wanted.in.includes(object[field]) : object[field] !== wanted.not;
  });
}
