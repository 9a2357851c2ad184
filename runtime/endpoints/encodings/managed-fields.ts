import { closingQuoteByte, skipContainer } from '../../machinery/json/skip.ts';
import type { Span } from './stored-text.ts';

const brace = 0x7b;
const bracket = 0x5b;
const comma = 0x2c;
const quote = 0x22;
const isWord = (byte: number): boolean => byte !== comma && byte !== 0x7d && byte !== 0x5d;

/**
 * Cuts the managed fields out of the compact JSON of an object, of an item of a list, of a row of a table, or of a table
 * of one object. Reads no further than the end of the metadata.
 */
export function withoutManagedFields(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const object = objectIn(bytes);
  const metadata = object === undefined ? undefined : memberOf(bytes, object, 'metadata');
  const fields = metadata === undefined ? undefined : memberOf(bytes, metadata.start, 'managedFields');
  if (fields === undefined) return json;
  const start = fields.start - '"managedFields":'.length;
  const isFirst = bytes[start - 1] === brace;
  const end = isFirst && bytes[fields.end] === comma ? fields.end + 1 : fields.end;
  return Buffer.concat([bytes.subarray(0, isFirst ? start : start - 1), bytes.subarray(end)]);
}

/** Returns the position of the object that has the metadata. */
function objectIn(json: Buffer): number | undefined {
  if (json[0] !== brace) return undefined;
  if (json.indexOf('{"cells":') === 0) return memberOf(json, 0, 'object')?.start;
  if (json.indexOf('{"kind":"Table",') !== 0) return 0;
  const row = (memberOf(json, 0, 'rows')?.start ?? json.length) + 1;
  return json[row] === brace ? memberOf(json, row, 'object')?.start : undefined;
}

/** Returns the span of a member's value in the object that opens at `start`. */
function memberOf(json: Buffer, start: number, name: string): Span | undefined {
  if (json[start] !== brace) return undefined;
  for (let at = start + 1; json[at] === quote; at++) {
    const end = closingQuoteByte(json, at);
    const isWanted = end - at - 1 === name.length && json.toString('latin1', at + 1, end) === name;
    const value = { start: end + 2, end: valueEnd(json, end + 2) };
    if (isWanted) return value;
    at = value.end;
    if (json[at] !== comma) return undefined;
  }
  return undefined;
}

function valueEnd(json: Buffer, start: number): number {
  const first = json[start];
  if (first === brace || first === bracket) return skipContainer(json, start);
  if (first === quote) return closingQuoteByte(json, start) + 1;
  let end = start;
  for (let byte = json[end]; byte !== undefined && isWord(byte); byte = json[end]) end++;
  return end;
}
