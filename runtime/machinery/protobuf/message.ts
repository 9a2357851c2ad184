import type { MessageWriter } from './message-writer.ts';

/*
 * Messages as data, for code that writes a message from JSON text without decoding the text first (codec/transcode). Objects are
 * encoded by generated functions, which are faster for them.
 */

type ScalarValue = 'string' | 'bool' | 'int32' | 'int64' | 'bytes';
type SpecialValue = 'Quantity' | 'IntOrString' | 'Time' | 'MicroTime' | 'Duration' | 'FieldsV1' | 'Untyped';
export type FieldValue = ScalarValue | SpecialValue | Message;

type FieldShape = 'single' | 'optional' | 'list' | 'map' | 'inlined';

/** A field of a message. */
export interface MessageField {
  /** Empty for an inlined struct, whose members are members of the object itself. */
  readonly json: string;
  /** The number and the wire type. */
  readonly tag: number;
  readonly value: FieldValue;
  /** Absent fields are written as zero if they are `single` or `inlined`; all others are not written. */
  readonly shape: FieldShape;
}

/** A type with a message. */
export class Message {
  /** The name of the type, without its package. */
  readonly name: string;
  readonly #makeFields: (() => readonly MessageField[]) | undefined;
  /** Writes a decoded object. Present if the fields cannot be written one by one. */
  readonly encode: ((object: never, writer: MessageWriter) => void) | undefined;
  #fields: readonly MessageField[] | undefined;
  /** Facts that a writer derives from the fields. Only that writer reads them. */
  derived: unknown;

  constructor(
    name: string,
    makeFields: (() => readonly MessageField[]) | undefined,
    encode?: (object: never, writer: MessageWriter) => void,
  ) {
    this.name = name;
    this.#makeFields = makeFields;
    this.encode = encode;
  }

  /** The fields in the order of the JSON. */
  get fields(): readonly MessageField[] {
    this.#fields ??= this.#makeFields?.() ?? [];
    return this.#fields;
  }
}

/** @param fields made on first use, because types refer to types below them in a file, and to themselves */
export const structMessage = (name: string, fields: () => readonly MessageField[]): Message => new Message(name, fields);

/** Returns a message whose objects are decoded first. */
export const objectMessage = (name: string, encode: (object: never, writer: MessageWriter) => void): Message =>
  new Message(name, undefined, encode);

const shaped =
  (shape: FieldShape) =>
  (json: string, tag: number, value: FieldValue): MessageField => ({ json, tag, value, shape });

export const singleField = shaped('single');
export const optionalField = shaped('optional');
export const listField = shaped('list');
/** A struct that is inlined in JSON and a message of its own on the wire. */
export const inlinedField = (tag: number, value: Message): MessageField => ({ json: '', tag, value, shape: 'inlined' });
/** `value` is that of the map's values; its keys are strings. */
export const mapField = shaped('map');
