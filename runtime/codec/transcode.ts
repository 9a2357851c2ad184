import { isUtf8 } from 'node:buffer';
import type { BinaryWriter } from '../machinery/protobuf/codec.ts';
import type { FieldValue, Message, MessageField } from '../machinery/protobuf/message.ts';
import { writeMessage } from '../machinery/protobuf/message-writer.ts';
import { encodeDuration, encodeMicroTime, encodeTime, encodeUntyped } from '../machinery/protobuf/special-types.ts';
import { decodeJson } from './json.ts';

const [quote, backslash, comma, colon, minus, zero, nine] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x30, 0x39];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [letterF, letterN, letterT, letterUpperT, letterZ] = [0x66, 0x6e, 0x74, 0x54, 0x5a];
/** Digits of integers that a double always represents. */
const exactDigits = 15;
const noBytes = new Uint8Array();
/** The start and the end of each written field of the structs around the position of a transcoder, which runs to its end. */
const places = new Int32Array(4096);

/** Thrown for text that only decoding handles. */
const unsuited = Symbol('unsuited');

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

/** What writing a message needs of its fields. */
interface Plan {
  /** In the order of the JSON. */
  readonly fields: readonly FieldPlan[];
  /** The bytes of all fields when they are absent, and the end of each field's. */
  readonly absent: Uint8Array;
  readonly absentEnds: readonly number[];
  /** Positions in `fields`, by the numbers of the fields. */
  readonly byNumber: readonly number[];
  readonly isInOrder: boolean;
}

interface FieldPlan {
  readonly field: MessageField;
  /** The name with its closing quote. */
  readonly name: Uint8Array;
  /** The first byte of the name; 0 for an inlined struct. */
  readonly first: number;
  /** The plan of an inlined struct. */
  readonly inlined: Plan | undefined;
  readonly tag: number;
  readonly value: FieldValue;
  /** The bytes of an absent field. */
  readonly absent: Uint8Array;
}

function planOf(message: Message): Plan {
  message.derived ??= makePlan(message);
  return message.derived as Plan;
}

function makePlan(message: Message): Plan {
  const fields = message.fields.map((field) => ({
    field,
    name: Buffer.from(`${field.json}"`),
    first: field.json.charCodeAt(0) || 0,
    inlined: field.shape === 'inlined' && typeof field.value !== 'string' ? inlinedPlan(field.value) : undefined,
    tag: field.tag,
    value: field.value,
    absent: absentBytes(field),
  }));
  const byNumber = fields.map((_, index) => index).sort((a, b) => (fields[a]?.tag ?? 0) - (fields[b]?.tag ?? 0));
  const absent = Buffer.concat(fields.map((field) => field.absent));
  let end = 0;
  const absentEnds = fields.map((field) => (end += field.absent.length));
  return { fields, absent, absentEnds, byNumber, isInOrder: byNumber.every((position, index) => position === index) };
}

/** Returns the plan of an inlined struct, which is only written if its fields are in order. */
function inlinedPlan(message: Message): Plan {
  return message.encode === undefined ? planOf(message) : { fields: [], absent: noBytes, absentEnds: [], byNumber: [], isInOrder: true };
}

function absentBytes({ shape, value, tag }: MessageField): Uint8Array {
  if ((shape !== 'single' && shape !== 'inlined') || value === 'bytes') return noBytes;
  return writeMessage((writer) => {
    writer.uint32(tag);
    if (typeof value !== 'string') {
      writer.fork();
      if (value.encode !== undefined) value.encode({} as never, writer);
      else for (const position of planOf(value).byNumber) writeAbsent(planOf(value), position, writer);
      writer.join();
      return;
    }
    switch (value) {
      case 'Quantity':
        writer.fork().uint32(10).string('0').join();
        break;
      case 'IntOrString':
        writer.fork();
        writeIntOrString(writer, 0, undefined);
        writer.join();
        break;
      case 'Duration':
        writer.fork();
        encodeDuration(undefined, writer);
        writer.join();
        break;
      default:
        // a zero, or an empty string or message
        writer.uint32(0);
    }
  });
}

function writeAbsent(plan: Plan, position: number, writer: BinaryWriter): void {
  const { absent } = plan.fields[position] as FieldPlan;
  if (absent.length > 0) writer.raw(absent, 0, absent.length);
}

/** Writes the absent fields from one position to before another, of fields in the order of their numbers. */
function writeAbsents({ absent, absentEnds }: Plan, from: number, to: number, writer: BinaryWriter): void {
  const start = absentEnds[from - 1] ?? 0;
  const end = absentEnds[to - 1] ?? 0;
  if (end > start) writer.raw(absent, start, end);
}

function writeIntOrString(writer: BinaryWriter, int: number, text: string | undefined): void {
  writer.uint32(8).uint32(text === undefined ? 0 : 1);
  writer.uint32(16).int32(int);
  writer.uint32(26).string(text ?? '');
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
          if (field.inlined !== undefined || !this.#isNull()) {
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
        if (field !== undefined && (field.inlined !== undefined || !this.#isNull())) {
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
    this.#at = this.#stringEnd(start) + 1;
    this.#expect(colon);
    this.#expect(quote);
    this.#at = this.#stringEnd(this.#at) + 1;
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

  /** Reads the colon behind a name, and null if it follows. */
  #isNull(): boolean {
    this.#expect(colon);
    if (this.#json[this.#at] !== letterN) return false;
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
      if (field.inlined !== undefined || !this.#isNull()) {
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
        this.#skipObject();
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
    const end = this.#stringEnd(start);
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
    this.#skip();
    return decodeJson(this.#json.subarray(start, this.#at));
  }

  /** Reads an object. */
  #skipObject(): void {
    const json = this.#json;
    const { length } = json;
    let depth = 0;
    let at = this.#at;
    if (json[at] !== openBrace) throw unsuited;
    for (; at < length; at++) {
      const byte = json[at];
      if (byte === quote) {
        for (at++; at < length && json[at] !== quote; at++) if (json[at] === backslash) at++;
      } else if (byte === openBrace) depth++;
      else if (byte === closeBrace && --depth === 0) {
        this.#at = at + 1;
        return;
      }
    }
    throw unsuited;
  }

  /** Reads any value. */
  #skip(): void {
    const json = this.#json;
    let depth = 0;
    for (let at = this.#at; at < json.length; at++) {
      const byte = json[at];
      if (byte === quote) {
        at = this.#stringEnd(at + 1);
      } else if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        // the end of the struct or list behind a number
        if (depth === 0) at--;
        else depth--;
      } else if (byte !== comma || depth > 0) {
        const following = json[at + 1];
        const isEnd = following === comma || following === closeBrace || following === closeBracket;
        if (!isEnd) continue;
      }
      if (depth === 0) {
        this.#at = at + 1;
        return;
      }
    }
    throw unsuited;
  }

  /** Returns the position of the quote that ends the string whose content begins at `start`. */
  #stringEnd(start: number): number {
    const json = this.#json;
    for (let at = start; at < json.length; at++) {
      const byte = json[at];
      if (byte === quote) return at;
      if (byte === backslash) at++;
    }
    throw unsuited;
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

const timeLength = '2006-01-02T15:04:05Z'.length;
/** The days of a year before each month, in a year that begins in March. */
const daysBefore = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];

/**
 * Returns the seconds since the Unix epoch of a time whose text begins at `at`; undefined for years before 1970 and after 2099, for
 * days that some months do not have, and for other forms.
 */
function plainSeconds(json: Uint8Array, at: number): number | undefined {
  const [year, month, day] = [100 * twoDigits(json, at) + twoDigits(json, at + 2), twoDigits(json, at + 5), twoDigits(json, at + 8)];
  const [hour, minute, second] = [twoDigits(json, at + 11), twoDigits(json, at + 14), twoDigits(json, at + 17)];
  const isPlain =
    json[at + 4] === minus &&
    json[at + 7] === minus &&
    json[at + 10] === letterUpperT &&
    json[at + 13] === colon &&
    json[at + 16] === colon &&
    json[at + 19] === letterZ &&
    json[at + 20] === quote;
  if (!isPlain || !(year >= 1970 && year <= 2099 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  // 2000 is the only year of a full century here, and it has a leap day.
  const shifted = month < 3 ? year - 1 : year;
  const days = 365 * (shifted - 1970) + Math.floor((shifted - 1968) / 4) + (daysBefore[month - 1] ?? 0) + day - 1 + marchOffset;
  return 86_400 * days + 3_600 * hour + 60 * minute + second;
}

/** The days from January 1 to March 1 of 1970. */
const marchOffset = 59;

/** Returns NaN if there are no two digits. */
function twoDigits(json: Uint8Array, at: number): number {
  const [tens, ones] = [(json[at] ?? 0) - zero, (json[at + 1] ?? 0) - zero];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

/** Reports whether a member's name, which begins at `at`, is that of a field or of a member of an inlined struct. */
function isNamed(json: Uint8Array, { name, inlined }: FieldPlan, at: number): boolean {
  if (inlined === undefined) return startsWith(json, name, at);
  for (const field of inlined.fields) if (isNamed(json, field, at)) return true;
  return false;
}

function startsWith(json: Uint8Array, name: Uint8Array, at: number): boolean {
  for (let index = 0; index < name.length; index++) if (json[at + index] !== name[index]) return false;
  return true;
}

/** Compares two keys by their bytes. An empty range is before every key. */
function isBefore(json: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd === 0) return true;
  const size = Math.min(aEnd - aStart, bEnd - bStart);
  for (let index = 0; index < size; index++) {
    const [a, b] = [json[aStart + index] ?? 0, json[bStart + index] ?? 0];
    if (a !== b) return a < b;
  }
  return aEnd - aStart < bEnd - bStart;
}
