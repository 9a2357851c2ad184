import type { ApiModel, ScalarName, SpecialName, TypeId, TypeRef } from '../model/model.ts';
import { schemaPropsType, typeById } from '../model/type-graph.ts';
import type { GeneratedFile } from '../print/generated-file.ts';
import type { RuntimeName } from '../print/symbols.ts';

/** The suffix of the functions in machinery/protobuf/special-types that encode and decode a special type. */
const specialMessages = {
  Quantity: 'Quantity',
  IntOrString: 'IntOrString',
  Time: 'Time',
  MicroTime: 'MicroTime',
  Duration: 'Duration',
  RawExtension: 'Untyped',
  FieldsV1: 'Untyped',
  JSON: 'Untyped',
  JSONSchemaPropsOrBool: 'SchemaOrBool',
  JSONSchemaPropsOrArray: 'SchemaOrArray',
  JSONSchemaPropsOrStringArray: 'SchemaOrStringArray',
  Verbs: 'StringItems',
  Unknown: 'Untyped',
} as const satisfies Readonly<Record<SpecialName, string>>;

const specialZeroes: Readonly<Partial<Record<SpecialName, string>>> = {
  Quantity: "'0'",
  IntOrString: '0',
  Duration: "'0s'",
  JSONSchemaPropsOrBool: 'false',
};

const describedScalars: readonly ScalarName[] = ['string', 'bool', 'int32', 'int64', 'bytes'];
/** The FieldValue of special types that need no other type. */
const describedSpecials: Readonly<Partial<Record<SpecialName, string>>> = {
  Quantity: 'Quantity',
  IntOrString: 'IntOrString',
  Time: 'Time',
  MicroTime: 'MicroTime',
  Duration: 'Duration',
  FieldsV1: 'FieldsV1',
  RawExtension: 'Untyped',
  JSON: 'Untyped',
};

/** Reports whether a field of the type can be written from text. */
export function isDescribed(type: TypeRef): boolean {
  if (type.kind === 'list' && type.message !== undefined) return false;
  const value = type.kind === 'list' || type.kind === 'map' ? type.of : type;
  if (value.kind === 'scalar') return describedScalars.includes(value.name);
  return value.kind === 'message' || (value.kind === 'special' && describedSpecials[value.name] !== undefined);
}

/** Expressions that convert a value between JSON and the wire. */
export class CodecValues {
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;

  constructor(model: ApiModel, file: GeneratedFile) {
    this.#model = model;
    this.#file = file;
  }

  /** Returns the FieldValue of a type that has one. */
  describe(ref: TypeRef): string {
    if (ref.kind === 'scalar') return `'${ref.name}'`;
    if (ref.kind === 'special') return `'${describedSpecials[ref.name]}'`;
    if (ref.kind !== 'message') throw new Error(`${ref.kind} has no field value`);
    const type = typeById(this.#model, ref.id);
    return this.#file.generated(type, 'codec.ts', `message${type.name}`);
  }

  /** Returns statements that write a tag and a value. With `mayBeAbsent`, an absent value is written as zero. */
  write(ref: TypeRef, tag: number, value: string, mayBeAbsent: boolean): string {
    switch (ref.kind) {
      case 'scalar':
        return this.#writeScalar(ref.name, tag, value, mayBeAbsent);
      case 'message':
        return this.writeMessage(ref.id, tag, mayBeAbsent ? `${value} ?? ${this.#wire('empty')}` : value);
      case 'special':
        return this.#framed(tag, this.#encodeSpecial(ref.name, value));
      case 'list':
        return this.#framed(tag, `${this.#special('encodeStringItems')}(${value}, writer);`);
      case 'map':
        throw new Error('protobuf has no map below a list or a map');
    }
  }

  writeMessage(id: TypeId, tag: number, value: string): string {
    return this.#framed(tag, `${this.#functionOf(id, 'encode')}(${value}, writer);`);
  }

  #framed(tag: number, statement: string): string {
    return `writer.uint32(${tag}).fork();\n${statement}\nwriter.join();`;
  }

  #encodeSpecial(name: SpecialName, value: string): string {
    const encode = this.#special(`encode${specialMessages[name]}`);
    const schema = encode.startsWith('encodeSchema') ? `, ${this.#functionOf(this.#schemaProps(), 'encode')}` : '';
    return `${encode}(${value}, writer${schema});`;
  }

  #writeScalar(name: ScalarName, tag: number, value: string, mayBeAbsent: boolean): string {
    const or = (zero: string) => (mayBeAbsent ? `${value} ?? ${zero}` : value);
    switch (name) {
      case 'string':
        return `writer.uint32(${tag}).string(${or("''")});`;
      case 'bool':
        return `writer.uint32(${tag}).bool(${or('false')});`;
      case 'int64':
      case 'uint64':
        return `writer.uint32(${tag});\n${this.#wire(name === 'int64' ? 'writeInt64' : 'writeUint64')}(writer, ${value});`;
      case 'bytes':
        return `${this.#wire('writeBytes')}(writer, ${tag}, ${value});`;
      default:
        return `writer.uint32(${tag}).${name}(${or('0')});`;
    }
  }

  /** Returns a function that writes a map's value behind tag 2. */
  writeMapValue(ref: TypeRef): string {
    if (ref.kind === 'scalar' && ref.name === 'string') return this.#wire('writeStringValue');
    const wire = ref.kind !== 'scalar' || ref.name === 'bytes' ? 2 : ref.name === 'double' ? 1 : 0;
    return `(writer, value) => {\n${this.write(ref, 16 | wire, 'value', false)}\n}`;
  }

  /** Returns an expression that reads the value behind a tag. */
  read(ref: TypeRef): string {
    switch (ref.kind) {
      case 'scalar':
        if (ref.name === 'bytes') return `${this.#wire('readBytes')}(reader)`;
        if (ref.name === 'int64') return `${this.#wire('readInt64')}(reader)`;
        if (ref.name === 'uint64') return `${this.#wire('readUint64')}(reader)`;
        return `reader.${ref.name}()`;
      case 'message':
        return this.decodeMessage(ref.id, 'reader.uint32()');
      case 'special':
        return this.#decodeSpecial(ref.name, 'reader.uint32()');
      case 'list':
        return `${this.#special('decodeStringItems')}(reader, reader.uint32())`;
      case 'map':
        throw new Error('protobuf has no map below a list or a map');
    }
  }

  decodeMessage(id: TypeId, length: string): string {
    return `${this.#functionOf(id, 'decode')}(reader, ${length})`;
  }

  #decodeSpecial(name: SpecialName, length: string): string {
    const decode = this.#special(`decode${specialMessages[name]}`);
    const schema = decode.startsWith('decodeSchema') ? `, ${this.#functionOf(this.#schemaProps(), 'decode')}` : '';
    return `${decode}(reader, ${length}${schema})`;
  }

  /** Returns a function that reads a map's value, or returns its zero value. */
  readMapValue(ref: TypeRef): string {
    if (ref.kind === 'scalar') return this.#wire(`${ref.name}Value`);
    const length = 'present ? reader.uint32() : 0';
    if (ref.kind === 'message') return `(reader, present) => ${this.decodeMessage(ref.id, length)}`;
    if (ref.kind === 'special') return `(reader, present) => ${this.#decodeSpecial(ref.name, length)}`;
    return `(reader, present) => ${this.#special('decodeStringItems')}(reader, ${length})`;
  }

  /** Returns the JSON that Go writes for the zero value. */
  zero(name: SpecialName): string {
    return specialZeroes[name] ?? 'null';
  }

  #functionOf(id: TypeId, verb: 'encode' | 'decode'): string {
    const type = typeById(this.#model, id);
    return this.#file.generated(type, 'codec.ts', `${verb}${type.name}`);
  }

  #schemaProps(): TypeId {
    return schemaPropsType(this.#model).id;
  }

  #wire(name: RuntimeName<'machinery/protobuf/wire.ts'>): string {
    return this.#file.runtime('machinery/protobuf/wire.ts', name);
  }

  #special(name: RuntimeName<'machinery/protobuf/special-types.ts'>): string {
    return this.#file.runtime('machinery/protobuf/special-types.ts', name);
  }
}
