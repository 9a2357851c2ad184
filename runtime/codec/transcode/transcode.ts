import { isUtf8 } from 'node:buffer';
import type { BinaryWriter } from '../../machinery/protobuf/codec.ts';
import type { FieldValue, Message } from '../../machinery/protobuf/message.ts';
import { writeMessage } from '../../machinery/protobuf/message-writer.ts';
import { encodeDuration, encodeMicroTime, encodeTime, encodeUntyped } from '../../machinery/protobuf/special-types.ts';
import { decodeJson } from '../json.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  letterF,
  letterN,
  letterT,
  minus,
  nine,
  openBrace,
  openBracket,
  quote,
  zero,
} from './json-bytes.ts';
import { objectEnd, stringEnd, valueEnd } from './json-ends.ts';
import { isBefore, isNamed, startsWith } from './names.ts';
import { plainSeconds, timeLength } from './plain-seconds.ts';
import { type FieldPlan, type Plan, planOf, writeAbsent, writeAbsents, writeIntOrString } from './plan.ts';
import { unsuited } from './unsuited.ts';

/** Digits of integers that a double always represents. */
const exactDigits = 15;
/** The start and the end of each written field of the structs around the position of a transcoder, which runs to its end. */
const places = new Int32Array(4096);

/**
 * Writes the message of an object from its stored JSON: compact, with the members of each struct in Go's order, and without
 * members that Go does not know. Strings are copied, and nothing is decoded except times and values of unknown structure.
 *
 *     {"metadata":{"name":"a"},"spec":{"nodeName":"n"}}    ->    0a [ 0a 01 61 ... ] 12 [ ... 52 01 6e ... ]
 *
 * Returns undefined for all other text, which has to be decoded.
 */
export function transcode(message: Message, json: Uint8Array): Uint8Array | undefined {
  if (message.encode !== undefined || !isUtf8(json)) return undefined;
  try {
    return writeMessage((writer) => new Transcoder(json, writer).whole(message));
  } catch (error) {
    if (error === unsuited) return undefined;
    throw error;
  }
}

class Transcoder {
  readonly #json: Uint8Array;
  readonly #writer: BinaryWriter;
  #placeCount = 0;
  #at = 0;

  constructor(json: Uint8Array, writer: BinaryWriter) {
    this.#json = json;
    this.#writer = writer;
  }

  whole(message: Message): void {
    this.#message(message);
    if (this.#at !== this.#json.length) throw unsuited;
  }

  /** Writes a struct. Most structs have their members in the order of the fields' numbers, so absent fields are written between. */
  #message(message: Message): void {
    if (message.encode !== undefined) {
      const { encode } = message;
      const value = this.#decoded();
      encode(value as never, this.#writer);
      return;
    }
    const plan = planOf(message);
    if (!plan.isInOrder) {
      this.#disordered(plan);
      return;
    }
    const start = this.#at;
    const written = this.#writer.length;
    if (this.#ordered(plan)) return;
    this.#at = start;
    this.#writer.truncate(written);
    this.#disordered(plan);
  }

  /** Returns false if a member comes before one with a smaller number. */
  #ordered(plan: Plan): boolean {
    const { fields } = plan;
    const writer = this.#writer;
    let next = 0;
    this.#expect(openBrace);
    if (this.#json[this.#at] === closeBrace) this.#at++;
    else {
      for (;;) {
        const position = this.#name(fields, next);
        if (position < 0) {
          if (position === earlier) return false;
        } else {
          const field = fields[position] as FieldPlan;
          if (field.inlined !== undefined || !this.#isNull(field)) {
            if (next < position) writeAbsents(plan, next, position, writer);
            this.#field(field);
            next = position + 1;
          }
        }
        if (this.#isLast()) break;
      }
    }
    if (next < fields.length) writeAbsents(plan, next, fields.length, writer);
    return true;
  }

  /** Writes a struct in the order of its JSON, then moves the fields to the order of their numbers. */
  #disordered(plan: Plan): void {
    const { fields, byNumber } = plan;
    const writer = this.#writer;
    const start = writer.length;
    const base = this.#placeCount;
    this.#placeCount = base + 2 * fields.length;
    if (this.#placeCount > places.length) throw unsuited;
    places.fill(-1, base, this.#placeCount);
    let next = 0;
    this.#expect(openBrace);
    if (this.#json[this.#at] === closeBrace) this.#at++;
    else {
      for (;;) {
        let position = this.#name(fields, next);
        if (position === earlier) position = this.#name(fields, 0);
        const field = fields[position];
        if (field !== undefined && (field.inlined !== undefined || !this.#isNull(field))) {
          const place = base + 2 * position;
          if ((places[place] ?? 0) >= 0) throw unsuited;
          places[place] = writer.length;
          this.#field(field);
          places[place + 1] = writer.length;
          next = position + 1;
        }
        if (this.#isLast()) break;
      }
    }
    const end = writer.length;
    for (const position of byNumber) {
      const from = places[base + 2 * position] ?? -1;
      if (from >= 0) writer.repeat(from, places[base + 2 * position + 1] ?? 0);
      else writeAbsent(plan, position, writer);
    }
    writer.remove(start, end);
    this.#placeCount = base;
  }

  /**
   * Reads a member's name. Returns the position of its field; `earlier` for a field before `next`, whose name is not read; `ignored`
   * for a member that no message has, whose value is read.
   */
  #name(fields: readonly FieldPlan[], next: number): number {
    const json = this.#json;
    const found = this.#find(fields, next);
    if (found >= 0) return found;
    const start = this.#at + 1;
    for (let position = 0; position < next; position++) if (isNamed(json, fields[position] as FieldPlan, start)) return earlier;
    if (!startsWith(json, kindName, start) && !startsWith(json, apiVersionName, start)) throw unsuited;
    this.#at = stringEnd(json, start) + 1;
    this.#expect(colon);
    this.#expect(quote);
    this.#at = stringEnd(json, this.#at) + 1;
    return ignored;
  }

  /** Reads the name of a field at `next` or later. Returns its position; -1 for another name, which is not read. */
  #find(fields: readonly FieldPlan[], next: number): number {
    const json = this.#json;
    if (json[this.#at] !== quote) throw unsuited;
    const start = this.#at + 1;
    const first = json[start];
    for (let position = next; position < fields.length; position++) {
      const field = fields[position] as FieldPlan;
      if ((field.first !== first && field.first !== 0) || !isNamed(json, field, start)) continue;
      // The members of an inlined struct are read together.
      if (field.inlined === undefined) this.#at = start + field.name.length;
      return position;
    }
    return -1;
  }

  /** Reads the comma or the end behind a member or an item. */
  #isLast(): boolean {
    const byte = this.#json[this.#at++];
    if (byte === comma) return false;
    if (byte === closeBrace) return true;
    throw unsuited;
  }

  /** Reads the colon behind a name, and null if it follows. @throws unsuited if the null is a zero time behind a pointer */
  #isNull({ value, field }: FieldPlan): boolean {
    this.#expect(colon);
    if (this.#json[this.#at] !== letterN) return false;
    if (field.shape === 'optional' && (value === 'Time' || value === 'MicroTime')) throw unsuited;
    this.#at += 4;
    return true;
  }

  #field({ field, tag, value, inlined }: FieldPlan): void {
    switch (field.shape) {
      case 'inlined':
        this.#inlined(tag, inlined as Plan);
        break;
      case 'list':
        this.#list(tag, value);
        break;
      case 'map':
        this.#map(tag, value);
        break;
      default:
        this.#value(tag, value);
    }
  }

  /** Writes an inlined struct, whose members follow one another. */
  #inlined(tag: number, plan: Plan): void {
    const { fields, isInOrder } = plan;
    const writer = this.#writer.uint32(tag).fork();
    let next = 0;
    let last = 0;
    for (;;) {
      const position = this.#find(fields, next);
      if (position < 0) break;
      const field = fields[position] as FieldPlan;
      if (field.inlined !== undefined || !this.#isNull(field)) {
        if (next < position) writeAbsents(plan, next, position, writer);
        if (field.tag < last) throw unsuited;
        last = field.tag;
        this.#field(field);
        next = position + 1;
      }
      if (this.#json[this.#at] !== comma) break;
      this.#at++;
    }
    // The name of a member that is not inlined: its comma is read again.
    if (this.#json[this.#at] === quote) this.#at--;
    if (next < fields.length) writeAbsents(plan, next, fields.length, writer);
    if (!isInOrder && fields.some(({ absent }) => absent.length > 0)) throw unsuited;
    writer.join();
  }

  #list(tag: number, value: FieldValue): void {
    this.#expect(openBracket);
    if (this.#json[this.#at] === closeBracket) {
      this.#at++;
      return;
    }
    for (;;) {
      if (this.#json[this.#at] === letterN) throw unsuited;
      this.#value(tag, value);
      const byte = this.#json[this.#at++];
      if (byte === closeBracket) return;
      if (byte !== comma) throw unsuited;
    }
  }

  /** Writes a map whose keys are in order. */
  #map(tag: number, value: FieldValue): void {
    const json = this.#json;
    const writer = this.#writer;
    this.#expect(openBrace);
    if (json[this.#at] === closeBrace) {
      this.#at++;
      return;
    }
    let beforeStart = 0;
    let beforeEnd = 0;
    for (;;) {
      this.#expect(quote);
      const start = this.#at;
      writer.uint32(tag).fork().uint32(10);
      const end = writer.jsonString(json, start);
      if (end < 0 || !isBefore(json, beforeStart, beforeEnd, start, end)) throw unsuited;
      beforeStart = start;
      beforeEnd = end;
      this.#at = end + 1;
      this.#expect(colon);
      if (json[this.#at] === letterN) throw unsuited;
      this.#value(mapValueTag, value);
      writer.join();
      if (this.#isLast()) return;
    }
  }

  /** Writes a tag and the value at the current position. */
  #value(tag: number, value: FieldValue): void {
    const writer = this.#writer.uint32(tag);
    if (typeof value !== 'string') {
      writer.fork();
      this.#message(value);
      writer.join();
      return;
    }
    switch (value) {
      case 'string':
        this.#string();
        return;
      case 'bool':
        writer.bool(this.#boolean());
        return;
      case 'int32':
        writer.int32(Number(this.#integer()));
        return;
      case 'int64':
        this.#int64();
        return;
      case 'bytes':
        writer.bytes(Buffer.from(this.#text(), 'base64'));
        return;
      default:
        writer.fork();
        this.#special(value);
        writer.join();
    }
  }

  #special(value: Exclude<FieldValue, Message>): void {
    const writer = this.#writer;
    switch (value) {
      case 'Quantity':
        writer.uint32(10);
        this.#string();
        return;
      case 'IntOrString':
        if (this.#json[this.#at] === quote) writeIntOrString(writer, 0, this.#text());
        else writeIntOrString(writer, Number(this.#integer()), undefined);
        return;
      case 'Time':
        this.#time();
        return;
      case 'MicroTime':
        encodeMicroTime(this.#text(), writer);
        return;
      case 'Duration':
        encodeDuration(this.#text(), writer);
        return;
      case 'FieldsV1': {
        // Stored text has <, > and & escaped; the text in messages has not.
        const start = this.#at;
        this.#at = objectEnd(this.#json, start);
        if (this.#bytes(start, this.#at).includes(unicodeEscape)) throw unsuited;
        writer
          .uint32(10)
          .uint32(this.#at - start)
          .raw(this.#json, start, this.#at);
        return;
      }
      default:
        encodeUntyped(this.#decoded(), writer);
    }
  }

  /** Writes a time. Those in the form 2006-01-02T15:04:05Z are counted from their digits. */
  #time(): void {
    const start = this.#at + 1;
    const seconds = plainSeconds(this.#json, start);
    if (seconds === undefined) {
      encodeTime(this.#text(), this.#writer);
      return;
    }
    this.#at = start + timeLength + 1;
    this.#writer.uint32(8).uint32(seconds).uint32(16).uint32(0);
  }

  /** Writes a length and the content of a string. */
  #string(): void {
    this.#expect(quote);
    const end = this.#writer.jsonString(this.#json, this.#at);
    if (end < 0) {
      this.#at--;
      this.#writer.string(this.#text());
    } else this.#at = end + 1;
  }

  /** Decodes a string. */
  #text(): string {
    this.#expect(quote);
    const start = this.#at;
    const end = stringEnd(this.#json, start);
    this.#at = end + 1;
    const content = this.#bytes(start, end);
    if (!content.includes(backslash)) return content.toString('utf8');
    // Halves of surrogate pairs become another character.
    if (/\\u[dD][89a-fA-F]/.test(content.toString('latin1'))) throw unsuited;
    return JSON.parse(`"${content.toString('utf8')}"`);
  }

  #bytes(start: number, end: number): Buffer {
    const { buffer, byteOffset } = this.#json;
    return Buffer.from(buffer, byteOffset + start, end - start);
  }

  #boolean(): boolean {
    const byte = this.#json[this.#at];
    if (byte !== letterT && byte !== letterF) throw unsuited;
    this.#at += byte === letterT ? 4 : 5;
    return byte === letterT;
  }

  #int64(): void {
    const value = this.#integer();
    if (value >= 0 && value <= 0xffffffff) this.#writer.uint32(value);
    else this.#writer.int64(value);
  }

  #integer(): number {
    const json = this.#json;
    let at = this.#at;
    const isNegative = json[at] === minus;
    if (isNegative) at++;
    const start = at;
    let value = 0;
    for (let byte = json[at] ?? 0; byte >= zero && byte <= nine; byte = json[++at] ?? 0) value = value * 10 + (byte - zero);
    const end = json[at];
    if (at === start || at - start > exactDigits || (end !== comma && end !== closeBrace && end !== closeBracket)) throw unsuited;
    this.#at = at;
    return isNegative ? -value : value;
  }

  #decoded(): unknown {
    const start = this.#at;
    this.#at = valueEnd(this.#json, start);
    return decodeJson(this.#json.subarray(start, this.#at));
  }

  #expect(byte: number): void {
    if (this.#json[this.#at++] !== byte) throw unsuited;
  }
}

const earlier = -1;
const ignored = -2;
const unicodeEscape = Buffer.from('\\u');
const mapValueTag = 18;
const kindName = Buffer.from('kind"');
const apiVersionName = Buffer.from('apiVersion"');
