import type { TimeSlice } from '../../../machinery/event-loop/yield.ts';
import { closingQuoteByte, skipContainer } from '../../../machinery/json/skip.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json } from '../../../machinery/object.ts';

/** The maximum bytes of one path or definition, which are decoded at once. */
const maxMemberBytes = 512 * 1024;
/** The maximum nesting of a member. */
const maxDepth = 64;

const [quote, comma, colon, closing] = [0x22, 0x2c, 0x3a, 0x7d];
const containers: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The paths, definitions and parameters of a Swagger 2.0 document as JSON texts. */
export interface SplitDocument {
  readonly paths: ReadonlyMap<string, string>;
  readonly schemas: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
  /** The `info` member, as JSON. */
  readonly info: string;
}

/**
 * Splits the document of an untrusted server without decoding it whole. Every path and definition must be a JSON
 * object.
 *
 * @throws Error if the document is unusable
 */
export async function splitDocument(json: Buffer, slice: TimeSlice): Promise<SplitDocument> {
  const [paths, schemas, parameters] = [new Map(), new Map(), new Map()];
  const sections: Readonly<Record<string, Map<string, string>>> = { paths, definitions: schemas, parameters };
  let info = '{"title":"","version":""}';
  for (const [name, start, end] of members(json, 0)) {
    if (name === 'info') info = canonical(json, start, end);
    const section = Object.hasOwn(sections, name) ? sections[name] : undefined;
    if (section === undefined) continue;
    for (const [member, from, to] of members(json, start)) {
      section.set(member, canonical(json, from, to));
      if (slice.isOver) await slice.next();
    }
  }
  return { paths, schemas, parameters, info };
}

/** Returns an object's text without spaces, so that equal objects have equal texts and references can be found. */
function canonical(json: Buffer, from: number, to: number): string {
  if (to - from > maxMemberBytes) throw new Error(`a member has more than ${maxMemberBytes} bytes`);
  const value: Json = JSON.parse(json.toString('utf8', from, to));
  if (!isJsonObject(value)) throw new Error('a member is no object');
  if (isDeeper(value, maxDepth)) throw new Error(`a member is nested deeper than ${maxDepth}`);
  return JSON.stringify(value);
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((one) => isDeeper(one, depth - 1));
}

/** Yields the members of an object: names, and the bounds of their values. @throws Error for any other value */
function* members(json: Buffer, start: number): Iterable<readonly [name: string, from: number, to: number]> {
  let at = skipSpaces(json, start);
  if (json[at] !== 0x7b) throw new Error('the document is no object');
  at = skipSpaces(json, at + 1);
  while (json[at] !== closing) {
    if (json[at] !== quote) throw new Error('the document is no JSON');
    const nameEnd = closingQuoteByte(json, at) + 1;
    const name = String(JSON.parse(json.toString('utf8', at, nameEnd)));
    const before = skipSpaces(json, nameEnd);
    if (json[before] !== colon) throw new Error('the document is no JSON');
    const from = skipSpaces(json, before + 1);
    const to = endOfValue(json, from);
    yield [name, from, to];
    at = skipSpaces(json, to);
    if (json[at] === comma) at = skipSpaces(json, at + 1);
    else if (json[at] !== closing) throw new Error('the document is no JSON');
  }
}

function endOfValue(json: Buffer, start: number): number {
  if (containers.has(json[start] ?? 0)) return skipContainer(json, start);
  if (json[start] === quote) return closingQuoteByte(json, start) + 1;
  let at = start;
  for (let byte = json[at]; byte !== undefined && byte !== comma && byte !== closing && !spaces.has(byte); byte = json[at]) at++;
  return at;
}

function skipSpaces(json: Buffer, start: number): number {
  let at = start;
  while (spaces.has(json[at] ?? 0)) at++;
  return at;
}
