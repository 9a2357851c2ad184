import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { encodeYaml } from '../../codec/yaml.ts';
import type { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { sorted } from './openapi-join.ts';

/*
 * The common messages of both versions of OpenAPI documents. A shape lists the fields of a message of gnostic: JSON
 * name -> [number, type].
 */

export type Json = Record<string, unknown>;
type Writer = (value: unknown, writer: BinaryWriter, number: number) => void;
type Field = readonly [number: number, kind: 'string' | 'strings' | 'bool' | 'int' | 'double' | 'any' | 'anys' | Writer];
export type Shape = Readonly<Record<string, Field>>;

interface EncodedMember {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Encodes the named members of a message, each with its name, and caches them for the next version. */
export class MembersEncoder {
  readonly #number: number;
  readonly #write: (value: Json, to: BinaryWriter) => void;
  #encoded: ReadonlyMap<string, EncodedMember> = new Map();

  /** @param number the field number of the members */
  constructor(number: number, write: (value: Json, to: BinaryWriter) => void) {
    this.#number = number;
    this.#write = write;
  }

  async encode(members: ReadonlyMap<string, string>, slice: TimeSlice): Promise<readonly Uint8Array[]> {
    const all = new Map<string, EncodedMember>();
    for (const [name, text] of sorted(members)) {
      const previous = this.#encoded.get(name);
      if (previous?.text === text) {
        all.set(name, previous);
        continue;
      }
      const value = { [name]: JSON.parse(text) };
      const bytes = encoded((writer) => namedEntries(this.#number, value, writer, this.#write));
      all.set(name, { text, bytes });
      if (slice.isOver) await slice.next();
    }
    this.#encoded = all;
    return [...all.values()].map(({ bytes }) => bytes);
  }
}

/** Encodes a field with a message that consists of encoded parts. */
export function message(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [encoded((writer) => writer.uint32(tag(number, WireType.LengthDelimited)).uint32(length)), ...parts];
}

export function encoded(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

export function writeShape(shape: Shape, value: Json, writer: BinaryWriter, extensions?: number): void {
  for (const [name, [number, kind]] of Object.entries(shape)) {
    if (value[name] !== undefined) writeField(number, kind, value[name], writer);
  }
  if (extensions === undefined) return;
  for (const [name, extension] of Object.entries(value)) {
    if (name.startsWith('x-')) {
      nested(extensions, writer, () => {
        text(1, name, writer);
        nested(2, writer, () => writeAny(extension, writer));
      });
    }
  }
}

function writeField(number: number, kind: Field[1], value: unknown, writer: BinaryWriter): void {
  switch (kind) {
    case 'string':
      if (value !== '') text(number, value as string, writer);
      break;
    case 'strings':
      repeatedStrings(number, value as string[], writer);
      break;
    case 'bool':
      if (value) writer.uint32(tag(number, WireType.Varint)).bool(true);
      break;
    case 'int':
      if (value) writer.uint32(tag(number, WireType.Varint)).int64(value as number);
      break;
    case 'double':
      if (value) writer.uint32(tag(number, WireType.Bit64)).double(value as number);
      break;
    case 'any':
      nested(number, writer, () => writeAny(value, writer));
      break;
    case 'anys':
      for (const item of value as unknown[]) nested(number, writer, () => writeAny(item, writer));
      break;
    default:
      kind(value, writer, number);
  }
}

/** Writes a value of any type as YAML, as gnostic does. */
function writeAny(value: unknown, writer: BinaryWriter): void {
  text(2, Buffer.from(encodeYaml(value)).toString(), writer);
}

export function namedEntries(number: number, map: Json, writer: BinaryWriter, write: (value: Json, to: BinaryWriter) => void): void {
  for (const [name, value] of Object.entries(map)) {
    nested(number, writer, () => {
      text(1, name, writer);
      nested(2, writer, () => write(value as Json, writer));
    });
  }
}

/** Returns a writer of a field with one message. */
export function one<T>(write: (value: T, writer: BinaryWriter) => void): Writer {
  return (value, writer, number) => nested(number, writer, () => write(value as T, writer));
}

/** Returns a writer of a field with a list of messages. */
export function each<T>(write: (value: T, writer: BinaryWriter) => void): Writer {
  return (values, writer, number) => {
    for (const value of values as T[]) nested(number, writer, () => write(value, writer));
  };
}

export function nested(number: number, writer: BinaryWriter, write: () => void): void {
  writer.uint32(tag(number, WireType.LengthDelimited)).fork();
  write();
  writer.join();
}

export function repeatedStrings(number: number, values: readonly string[], writer: BinaryWriter): void {
  for (const value of values) text(number, value, writer);
}

export function text(number: number, value: string, writer: BinaryWriter): void {
  writer.uint32(tag(number, WireType.LengthDelimited)).string(value);
}

export const tag = (number: number, wire: WireType): number => (number << 3) | wire;
