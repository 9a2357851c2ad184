import type { FieldModel, TypeId } from '../model/model.ts';
import { lowerFirst } from '../model/names.ts';
import type { Imports } from '../print/imports.ts';
import { member, variableName } from '../print/names.ts';
import type { RuntimeSymbol } from '../print/symbols.ts';
import type { CodecValues } from './codec-values.ts';

/** The lines of a codec that deal with one field. */
export class CodecFields {
  readonly #imports: Imports;
  readonly #values: CodecValues;

  constructor(imports: Imports, values: CodecValues) {
    this.#imports = imports;
    this.#values = values;
  }

  /** Writes the field: pointers, lists and maps when set, all else always. */
  encode(field: FieldModel): string {
    const { type } = field;
    const value = member('object', field.json);
    const tag = tagOf(field);
    if (type.kind === 'map') {
      const writeValue = this.#values.writeMapValue(type.of);
      return `  ${this.#use('writeMap')}(writer, ${tag}, ${value}, ${writeValue});\n`;
    }
    if (type.kind === 'scalar' && type.name === 'bytes')
      return `  ${this.#use('writeBytes')}(writer, ${tag}, ${value});\n`;
    if (type.kind === 'list' && type.message === undefined) {
      const write = this.#values.write(type.of, tag, 'item', false);
      return `  if (${value} != null) {\n    for (const item of ${value}) ${braced(write)}\n  }\n`;
    }
    const optional = field.pointer || type.kind === 'list';
    const write = this.#values.write(type, tag, value, !optional);
    return optional ? `  if (${value} != null) ${braced(write)}\n` : `  ${write}\n`;
  }

  encodeInlined(id: TypeId, number: number): string {
    const tag = (number << 3) | 2;
    return `  ${this.#values.writeMessage(id, tag, 'object')}\n`;
  }

  /** The variable that holds what was read. */
  declare(field: FieldModel): string {
    const name = variableName(field.json);
    const { type } = field;
    if (type.kind === 'list' && type.message === undefined) return `  let ${name}: unknown[] | undefined;\n`;
    if (type.kind === 'map') return `  let ${name}: Record<string, unknown> | undefined;\n`;
    if (type.kind === 'scalar' && !field.pointer && type.name !== 'bytes') {
      if (type.name === 'string') return `  let ${name} = '';\n`;
      if (type.name === 'bool') return `  let ${name} = false;\n`;
      return `  let ${name}: number | bigint = 0;\n`;
    }
    return `  let ${name}: unknown;\n`;
  }

  declareInlined(id: TypeId): string {
    return `  let ${inlinedVariable(id)}: object | undefined;\n`;
  }

  decodeCase(field: FieldModel): string {
    const name = variableName(field.json);
    const { type } = field;
    return `      case ${tagOf(field)}:\n        ${this.#read(type, name)}\n        break;\n`;
  }

  #read(type: FieldModel['type'], name: string): string {
    if (type.kind === 'map') {
      return `${name} ??= {};\n        ${this.#use('readEntry')}(reader, ${name}, ${this.#values.readMapValue(type.of)});`;
    }
    if (type.kind === 'list' && type.message === undefined) {
      return `${name} ??= [];\n        ${name}.push(${this.#values.read(type.of)});`;
    }
    return `${name} = ${this.#values.read(type)};`;
  }

  decodeInlinedCase(id: TypeId, number: number): string {
    const call = this.#values.decodeMessage(id, 'reader.uint32()');
    return `      case ${(number << 3) | 2}:\n        ${inlinedVariable(id)} = ${call};\n        break;\n`;
  }

  outputInlined(id: TypeId): string {
    return `  Object.assign(output, ${inlinedVariable(id)} ?? ${this.#values.decodeMessage(id, '0')});\n`;
  }

  /** Puts the variable into the output, as prune would. */
  output(field: FieldModel): string {
    const name = variableName(field.json);
    const { type } = field;
    const set = (value: string) =>
      field.json === '__proto__'
        ? `${this.#use('setMember')}(output, '__proto__', ${value});\n`
        : `${member('output', field.json)} = ${value};\n`;
    const omits = field.omitEmpty || field.omitZero;
    if (type.kind === 'map' || type.kind === 'list') {
      const value = type.kind === 'map' ? `${this.#use('sortMap')}(${name})` : name;
      if (omits || field.pointer) return `  if (${name} != null) ${set(value)}`;
      return `  ${set(type.kind === 'map' ? `${name} === undefined ? null : ${value}` : `${name} ?? null`)}`;
    }
    if (field.pointer && !omits) return `  ${set(`${name} ?? null`)}`;
    if (field.pointer) return `  if (${name} !== undefined) ${set(name)}`;
    if (type.kind === 'scalar') return this.#outputScalar(field, name, set);
    const zero = type.kind === 'message' ? this.#values.decodeMessage(type.id, '0') : this.#values.zero(type.name);
    if (type.kind === 'special' && field.omitZero) return `  if (${name} != null) ${set(name)}`;
    if (type.kind === 'message' && field.omitZero) return `  if (${name} !== undefined) ${set(name)}`;
    return `  ${set(`${name} ?? ${zero}`)}`;
  }

  #outputScalar(field: FieldModel, name: string, set: (value: string) => string): string {
    const scalar = field.type.kind === 'scalar' ? field.type.name : '';
    const omits = field.omitEmpty || field.omitZero;
    if (scalar === 'bytes') return omits ? `  if (${name}) ${set(name)}` : `  ${set(`${name} ?? null`)}`;
    if (!omits) return `  ${set(name)}`;
    if (scalar === 'bool') return `  if (${name}) ${set(name)}`;
    return `  if (${name} !== ${scalar === 'string' ? "''" : '0'}) ${set(name)}`;
  }

  #use(name: RuntimeSymbol): string {
    return this.#imports.use(name);
  }
}

/** Field number and wire type, as they stand before the value. */
export function tagOf(field: FieldModel): number {
  const { type } = field;
  const element = type.kind === 'list' && type.message === undefined ? type.of : type;
  return (((field.protoNumber as number) << 3) | wireType(element)) >>> 0;
}

function wireType(type: FieldModel['type']): number {
  if (type.kind !== 'scalar') return 2;
  if (type.name === 'double') return 1;
  return type.name === 'string' || type.name === 'bytes' ? 2 : 0;
}

const inlinedVariable = (id: TypeId): string => lowerFirst(`${id.slice(id.lastIndexOf('.') + 1)}Inlined`);

/** Several statements in braces. */
function braced(statements: string): string {
  return /;\s*\S/.test(statements.trim()) ? `{\n      ${statements}\n    }` : statements;
}
