import type { FieldModel, ScalarName, TypeId, TypeModel, TypeRef } from '../model/model.ts';
import { lowerFirst } from '../model/names.ts';
import { member } from '../print/expressions.ts';
import type { GeneratedFile } from '../print/generated-file.ts';
import { literal } from '../print/literal.ts';
import { variableName } from '../print/names.ts';
import type { RuntimeName } from '../print/symbols.ts';
import { type CodecValues, isDescribed } from './codec-values.ts';

/** Statements of a codec for one field. */
export class CodecFields {
  readonly #file: GeneratedFile;
  readonly #values: CodecValues;

  constructor(file: GeneratedFile, values: CodecValues) {
    this.#file = file;
    this.#values = values;
  }

  /** Writes the field: always, except for absent pointers, lists and maps. */
  encode(field: FieldModel): string {
    const { type } = field;
    const value = member('object', field.json);
    const tag = tagOf(field);
    if (type.kind === 'map') return `${this.#wire('writeMap')}(writer, ${tag}, ${value}, ${this.#values.writeMapValue(type.of)});`;
    if (type.kind === 'scalar' && type.name === 'bytes') return `${this.#wire('writeBytes')}(writer, ${tag}, ${value});`;
    if (type.kind === 'list' && type.message === undefined) {
      const write = this.#values.write(type.of, tag, 'item', false);
      return `if (${value} != null) {\nfor (const item of ${value}) ${braced(write)}\n}`;
    }
    const optional = field.pointer || type.kind === 'list';
    const write = this.#values.write(type, tag, value, !optional);
    if (!optional) return write;
    return `if (${value} ${isZeroable(type) ? '!== undefined' : '!= null'}) ${braced(write)}`;
  }

  /** Returns expressions for the fields of a message; undefined if one of them needs a decoded value. */
  describeAll({ fields, inlined = [] }: TypeModel): string[] | undefined {
    const own = fields.filter(({ protoNumber }) => protoNumber !== undefined);
    if (!own.every(({ type }) => isDescribed(type))) return undefined;
    const texts = fields.flatMap((field) => {
      const struct = inlined.find(({ id }) => id === field.inlinedFrom);
      if (struct !== undefined) return [this.#describeInlined(struct.id, struct.protoNumber)];
      return field.protoNumber === undefined ? [] : [this.#describe(field)];
    });
    return [...new Set(texts)];
  }

  #describe(field: FieldModel): string {
    const { type, pointer } = field;
    const shape = type.kind === 'list' ? 'listField' : type.kind === 'map' ? 'mapField' : pointer ? 'optionalField' : 'singleField';
    const value = this.#values.describe(type.kind === 'list' || type.kind === 'map' ? type.of : type);
    const make = this.#file.runtime('machinery/protobuf/message.ts', shape);
    return `${make}(${literal(field.json)}, ${tagOf(field)}, ${value})`;
  }

  #describeInlined(id: TypeId, number: number): string {
    const value = this.#values.describe({ kind: 'message', id });
    return `${this.#file.runtime('machinery/protobuf/message.ts', 'inlinedField')}(${messageTag(number)}, ${value})`;
  }

  encodeInlined(id: TypeId, number: number): string {
    return this.#values.writeMessage(id, messageTag(number), 'object');
  }

  /** Declares the variable for the decoded value. */
  declare(field: FieldModel): string {
    const { type } = field;
    return `let ${variableName(field.json)}${initialValue(type, field.pointer)};`;
  }

  declareInlined(id: TypeId): string {
    return `let ${inlinedVariable(id)}: object | undefined;`;
  }

  decodeCase(field: FieldModel): string {
    return `case ${tagOf(field)}:\n${this.#read(field.type, variableName(field.json))}\nbreak;\n`;
  }

  /** Reads a packed list: proto3 writes all numbers of a list in one field. */
  decodePackedCase(field: FieldModel): string {
    const { type } = field;
    if (type.kind !== 'list' || type.message !== undefined || wireType(type.of) === 2) return '';
    const name = variableName(field.json);
    const read = `${name}.push(${this.#values.read(type.of)});`;
    const loop = `const last = reader.uint32() + reader.pos;\n${name} ??= [];\nwhile (reader.pos < last) ${read}`;
    return `case ${((field.protoNumber as number) << 3) | 2}: {\n${loop}\nbreak;\n}\n`;
  }

  #read(type: TypeRef, name: string): string {
    if (type.kind === 'map') {
      const readValue = this.#values.readMapValue(type.of);
      return `${name} ??= {};\n${this.#wire('readEntry')}(reader, ${name}, ${readValue});`;
    }
    if (type.kind === 'list' && type.message === undefined) return `${name} ??= [];\n${name}.push(${this.#values.read(type.of)});`;
    return `${name} = ${this.#values.read(type)};`;
  }

  decodeInlinedCase(id: TypeId, number: number): string {
    const call = this.#values.decodeMessage(id, 'reader.uint32()');
    return `case ${messageTag(number)}:\n${inlinedVariable(id)} = ${call};\nbreak;\n`;
  }

  outputInlined(id: TypeId): string {
    return `Object.assign(output, ${inlinedVariable(id)} ?? ${this.#values.decodeMessage(id, '0')});`;
  }

  /** Sets the member of the output under the same condition as prune. */
  output(field: FieldModel): string {
    const name = variableName(field.json);
    const { type } = field;
    const set = (value: string): string =>
      field.json === '__proto__'
        ? `${this.#file.runtime('machinery/json/values.ts', 'setMember')}(output, '__proto__', ${value});`
        : `${member('output', field.json)} = ${value};`;
    const omits = field.omitEmpty || field.omitZero;
    if (type.kind === 'map' || type.kind === 'list') {
      const value = type.kind === 'map' ? `${this.#wire('sortMap')}(${name})` : name;
      if (omits || field.pointer) return `if (${name} != null) ${set(value)}`;
      return set(type.kind === 'map' ? `${name} === undefined ? null : ${value}` : `${name} ?? null`);
    }
    if (field.pointer) return omits ? `if (${name} !== undefined) ${set(name)}` : set(`${name} ?? null`);
    if (type.kind === 'scalar') return omits ? `if (${isNotZero(type.name, name)}) ${set(name)}` : set(orNull(type, name));
    if (type.kind === 'message') {
      if (field.omitZero) return `if (${name} !== undefined) ${set(name)}`;
      return set(`${name} ?? ${this.#values.decodeMessage(type.id, '0')}`);
    }
    if (field.omitZero) return `if (${name} != null) ${set(name)}`;
    return set(`${name} ?? ${this.#values.zero(type.name)}`);
  }

  #wire(name: RuntimeName<'machinery/protobuf/wire.ts'>): string {
    return this.#file.runtime('machinery/protobuf/wire.ts', name);
  }
}

/** Whether a null is the zero of the type behind a pointer, and no nil pointer, which is absent. */
const isZeroable = (type: TypeRef): boolean => type.kind === 'special' && (type.name === 'Time' || type.name === 'MicroTime');

/** Returns the type annotation and initial value of a variable. */
function initialValue(type: TypeRef, pointer: boolean): string {
  if (type.kind === 'list' && type.message === undefined) return ': unknown[] | undefined';
  if (type.kind === 'map') return ': Record<string, unknown> | undefined';
  if (type.kind !== 'scalar' || pointer || type.name === 'bytes') return ': unknown';
  if (type.name === 'string') return " = ''";
  return type.name === 'bool' ? ' = false' : ': number | bigint = 0';
}

function isNotZero(scalar: ScalarName, name: string): string {
  if (scalar === 'bytes' || scalar === 'bool') return name;
  return `${name} !== ${scalar === 'string' ? "''" : '0'}`;
}

/** Variables of bytes start undefined, all others with their zero value. */
const orNull = (type: TypeRef & { kind: 'scalar' }, name: string): string => (type.name === 'bytes' ? `${name} ?? null` : name);

/** The tag of a message. */
const messageTag = (number: number): number => (number << 3) | 2;

/** The tag of a field: its number and wire type. */
function tagOf(field: FieldModel): number {
  const { type } = field;
  const element = type.kind === 'list' && type.message === undefined ? type.of : type;
  return (((field.protoNumber as number) << 3) | wireType(element)) >>> 0;
}

function wireType(type: TypeRef): number {
  if (type.kind !== 'scalar') return 2;
  if (type.name === 'double') return 1;
  return type.name === 'string' || type.name === 'bytes' ? 2 : 0;
}

const inlinedVariable = (id: TypeId): string => lowerFirst(`${id.slice(id.lastIndexOf('.') + 1)}Inlined`);

/** Puts several statements into braces. */
function braced(statements: string): string {
  return /;\s*\S/.test(statements) ? `{\n${statements}\n}` : statements;
}
