import type { ApiModel, FieldModel, GroupVersionModel, TypeModel } from '../model/model.ts';
import { recursiveTypes } from '../model/type-graph.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { functionNames } from '../print/names.ts';
import type { RuntimeName } from '../print/symbols.ts';
import { CodecFields } from './codec-fields.ts';
import { CodecValues } from './codec-values.ts';
import { fieldsOnRead } from './fields.ts';

/**
 * Emits `encodeX(object, writer)`, `decodeX(reader, length)` and the fields `messageX` for each type with a message, and `codecX`
 * with all three for each kind. Encoding gives the bytes of Go's generated marshallers: fields by number, non-pointers always.
 * Decoding gives the same object as prune: fields in Go's order, without the zero values that Go omits.
 */
export function emitCodec(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new CodecEmitter(model, file);
  for (const type of groupVersion.types) {
    if (type.message === undefined) continue;
    emitter.message(type);
    if (type.gvk) emitter.codec(type);
    emitter.encode(type);
    emitter.decode(type);
  }
  return file.print();
}

interface NumberedStatement {
  readonly number: number;
  readonly text: string;
}

class CodecEmitter {
  readonly #file: GeneratedFile;
  readonly #fields: CodecFields;
  readonly #recursive: ReadonlySet<string>;

  constructor(model: ApiModel, file: GeneratedFile) {
    this.#file = file;
    this.#fields = new CodecFields(file, new CodecValues(model, file));
    this.#recursive = recursiveTypes(model);
  }

  codec(type: TypeModel): void {
    const { codec } = functionNames(type);
    if (codec === undefined) return;
    this.#file.addConstant({
      name: codec,
      type: `${this.#file.runtime('machinery/protobuf/codec.ts', 'type ProtobufCodec')}<${this.#file.type(type)}>`,
      initializer: `${this.#file.runtime('machinery/protobuf/wire.ts', 'messageCodec')}(encode${type.name}, decode${type.name}, message${type.name})`,
    });
  }

  encode(type: TypeModel): void {
    const statements = byNumber(
      type,
      (field) => this.#fields.encode(field),
      (id, number) => this.#fields.encodeInlined(id, number),
    );
    const unused = statements.length === 0 ? '_' : '';
    this.#file.addFunction({
      name: `encode${type.name}`,
      parameters: [
        { name: `${unused}object`, type: this.#file.type(type) },
        { name: `${unused}writer`, type: this.#file.runtime('machinery/protobuf/codec.ts', 'type BinaryWriter') },
      ],
      returnType: 'void',
      statements,
    });
  }

  decode(type: TypeModel): void {
    const wire = (name: 'endOf' | 'descend' | 'checkEnd' | 'ascend'): string => this.#file.runtime('machinery/protobuf/wire.ts', name);
    const isRecursive = this.#recursive.has(type.id);
    const returnType = this.#file.type(type);
    this.#file.addFunction({
      name: `decode${type.name}`,
      parameters: [
        { name: 'reader', type: this.#file.runtime('machinery/protobuf/codec.ts', 'type BinaryReader') },
        { name: 'length', type: 'number' },
      ],
      returnType,
      statements: [
        `const end = ${wire('endOf')}(reader, length);`,
        ...(isRecursive ? [`${wire('descend')}(reader);`] : []),
        ...type.fields.filter(isOnWire).map((field) => this.#fields.declare(field)),
        ...(type.inlined ?? []).map(({ id }) => this.#fields.declareInlined(id)),
        `while (reader.pos < end) {\nconst tag = reader.uint32();\n${this.#switch(type)}\n}`,
        `${wire('checkEnd')}(reader, end);`,
        ...(isRecursive ? [`${wire('ascend')}(reader);`] : []),
        'const output: { [field: string]: unknown } = {};',
        ...this.#outputs(type),
        `return output as unknown as ${returnType};`,
      ],
    });
  }

  message(type: TypeModel): void {
    const runtime = (name: RuntimeName<'machinery/protobuf/message.ts'>): string =>
      this.#file.runtime('machinery/protobuf/message.ts', name);
    const fields = type.userDefined ? undefined : this.#fields.describeAll(type);
    this.#file.addConstant({
      name: `message${type.name}`,
      type: runtime('type Message'),
      initializer:
        fields === undefined
          ? `${runtime('objectMessage')}('${type.name}', encode${type.name})`
          : `${runtime('structMessage')}('${type.name}', () => [${fields.join(', ')}])`,
    });
  }

  #switch(type: TypeModel): string {
    const skip = `${this.#file.runtime('machinery/protobuf/wire.ts', 'skipField')}(reader, tag, message${type.name});`;
    const cases = byNumber(
      type,
      // lists are written unpacked, and read packed as well
      (field) => this.#fields.decodeCase(field) + this.#fields.decodePackedCase(field),
      (id, number) => this.#fields.decodeInlinedCase(id, number),
    );
    return cases.length === 0 ? skip : `switch (tag) {\n${cases.join('')}default:\n${skip}\n}`;
  }

  #outputs(type: TypeModel): string[] {
    const done = new Set<string>();
    return fieldsOnRead(type).flatMap((field) => {
      if (field.inlinedFrom !== undefined) {
        if (done.has(field.inlinedFrom)) return [];
        done.add(field.inlinedFrom);
        return [this.#fields.outputInlined(field.inlinedFrom)];
      }
      return isOnWire(field) ? [this.#fields.output(field)] : [];
    });
  }
}

const isOnWire = (field: FieldModel): field is FieldModel & { readonly protoNumber: number } => field.protoNumber !== undefined;

/** The texts for the fields and inlined structs of a message, in the order of their numbers. */
function byNumber(
  { fields, inlined = [] }: TypeModel,
  ofField: (field: FieldModel) => string,
  ofInlined: (id: string, number: number) => string,
): string[] {
  const texts: NumberedStatement[] = [
    ...fields.filter(isOnWire).map((field) => ({ number: field.protoNumber, text: ofField(field) })),
    ...inlined.map(({ id, protoNumber }) => ({ number: protoNumber, text: ofInlined(id, protoNumber) })),
  ];
  return texts.sort((a, b) => a.number - b.number).map(({ text }) => text);
}
