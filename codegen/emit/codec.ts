import type { ApiModel, FieldModel, GroupVersionModel, TypeModel } from '../model/model.ts';
import { recursiveTypes } from '../model/type-graph.ts';
import { functionNames } from '../print/function-names.ts';
import { Imports } from '../print/imports.ts';
import { CodecFields } from './codec-fields.ts';
import { CodecValues } from './codec-values.ts';
import type { EmitContext } from './context.ts';
import { withTypeMeta } from './prune.ts';

/**
 * `encodeX(object, writer)` and `decodeX(reader, length)` for each type with a message, and `codecX` with both for each
 * kind. Bytes are those of Go's generated marshallers: fields by number, non-pointers always. What is decoded is what
 * prune gives: fields in Go's order, zero values left out where Go leaves them out.
 */
export function emitCodec(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const types = groupVersion.types.filter((type) => type.message !== undefined);
  if (types.length === 0) return `${context.header}\nexport {};\n`;
  const imports = new Imports(model, groupVersion.folder, context.runtime);
  const writer = new CodecWriter(model, imports);
  const functions = types.flatMap((type) => [
    ...(type.gvk ? [writer.codec(type)] : []),
    writer.encode(type),
    writer.decode(type),
  ]);
  return `${context.header}${imports}\n${functions.join('\n')}`;
}

class CodecWriter {
  readonly #imports: Imports;
  readonly #fields: CodecFields;
  readonly #recursive: ReadonlySet<string>;

  constructor(model: ApiModel, imports: Imports) {
    this.#imports = imports;
    this.#fields = new CodecFields(imports, new CodecValues(model, imports));
    this.#recursive = recursiveTypes(model);
  }

  codec(type: TypeModel): string {
    const codec = functionNames(type).codec;
    const interfaceType = `${this.#imports.use('ProtobufCodec')}<${this.#imports.type(type)}>`;
    return `export const ${codec}: ${interfaceType} = ${this.#imports.use('messageCodec')}(encode${type.name}, decode${type.name});\n`;
  }

  encode(type: TypeModel): string {
    const steps = [
      ...type.fields
        .filter((field) => field.protoNumber !== undefined)
        .map((field) => ({ number: field.protoNumber as number, text: this.#fields.encode(field) })),
      ...(type.inlined ?? []).map((inlined) => ({
        number: inlined.protoNumber,
        text: this.#fields.encodeInlined(inlined.id, inlined.protoNumber),
      })),
    ].sort((a, b) => a.number - b.number);
    const unused = steps.length === 0 ? '_' : '';
    return [
      `export function encode${type.name}(${unused}object: ${this.#imports.type(type)}, ${unused}writer: ${this.#imports.use('BinaryWriter')}): void {\n`,
      ...steps.map((step) => step.text),
      '}\n',
    ].join('');
  }

  decode(type: TypeModel): string {
    const reader = this.#imports.use('BinaryReader');
    const fields = type.fields.filter((field) => field.protoNumber !== undefined);
    const inlined = type.inlined ?? [];
    const recursive = this.#recursive.has(type.id);
    const use = (name: Parameters<Imports['use']>[0]) => this.#imports.use(name);
    return [
      `export function decode${type.name}(reader: ${reader}, length: number): ${this.#imports.type(type)} {\n`,
      `  const end = ${use('endOf')}(reader, length);\n`,
      recursive ? `  ${use('descend')}(reader);\n` : '',
      ...fields.map((field) => this.#fields.declare(field)),
      ...inlined.map(({ id }) => this.#fields.declareInlined(id)),
      '  while (reader.pos < end) {\n',
      '    const tag = reader.uint32();\n',
      ...this.#switch(fields, inlined),
      '  }\n',
      `  ${use('checkEnd')}(reader, end);\n`,
      recursive ? `  ${use('ascend')}(reader);\n` : '',
      '  const output: { [field: string]: unknown } = {};\n',
      ...this.#outputs(type),
      `  return output as unknown as ${this.#imports.type(type)};\n`,
      '}\n',
    ].join('');
  }

  #switch(fields: readonly FieldModel[], inlined: readonly { id: string; protoNumber: number }[]): string[] {
    const skip = `${this.#imports.use('skipField')}(reader, tag);\n`;
    const cases = [
      ...fields.map((field) => ({ number: field.protoNumber as number, text: this.#fields.decodeCase(field) })),
      ...inlined.map(({ id, protoNumber }) => ({
        number: protoNumber,
        text: this.#fields.decodeInlinedCase(id, protoNumber),
      })),
    ].sort((a, b) => a.number - b.number);
    if (cases.length === 0) return [`    ${skip}`];
    return ['    switch (tag) {\n', ...cases.map(({ text }) => text), `      default:\n        ${skip}`, '    }\n'];
  }

  #outputs(type: TypeModel): string[] {
    const done = new Set<string>();
    return withTypeMeta(type).flatMap((field) => {
      if (field.inlinedFrom !== undefined) {
        if (done.has(field.inlinedFrom)) return [];
        done.add(field.inlinedFrom);
        return [this.#fields.outputInlined(field.inlinedFrom)];
      }
      return field.protoNumber === undefined ? [] : [this.#fields.output(field)];
    });
  }
}
