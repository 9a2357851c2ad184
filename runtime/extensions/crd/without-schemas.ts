import { randomUUID } from 'node:crypto';
import { decodeJson, encodeJson } from '../../codec/json.ts';
import type { Json, KubeObject } from '../../machinery/object.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { encodeStored } from '../../storage/object-store/stored-json.ts';
import type { CustomResourceDefinition } from './api-helpers.ts';

/** Members that are most of a definition's bytes, and how their values begin. No other part of one has them. */
const largeMembers = [
  { member: Buffer.from('"openAPIV3Schema":'), opens: 0x7b },
  { member: Buffer.from('"managedFields":'), opens: 0x5b },
] as const;
const isSchema = largeMembers[0].member;
const backslash = 0x5c;
const mark = 0x22;
const nothing = Buffer.from('null');

/**
 * A definition without its schemas, which read as null, and without its managed fields: all that is to be known of a
 * definition that nobody asks for. Schemas are walked over as bytes, which costs a tenth of decoding them.
 *
 * @throws StorageError `corrupt`
 */
export function decodeWithoutSchemas(stored: StoredObject): CustomResourceDefinition {
  try {
    return decodeJson(joined(divide(stored.json), nothing)) as unknown as CustomResourceDefinition;
  } catch {
    // whatever is wrong with it is told as it is of every object
    return stored.decode() as CustomResourceDefinition;
  }
}

/** A definition whose metadata and status can be changed while its schemas stay bytes. */
export interface DefinitionEdit {
  /** With marks in place of schemas and of managed fields, which are not to be touched. */
  readonly crd: CustomResourceDefinition;
  /** As it is to be stored. */
  encode(): Uint8Array;
}

/** @throws StorageError `corrupt` */
export function editWithoutSchemas(stored: StoredObject): DefinitionEdit {
  const divided = divide(stored.json);
  const mark = randomUUID();
  const marked = divided.large.map((_, index) => Buffer.from(`"${mark} ${index}"`));
  const crd = decodeJson(joined(divided, marked)) as unknown as CustomResourceDefinition;
  const marks = new RegExp(`"${mark} ([0-9]+)"`);
  return {
    crd,
    encode() {
      const encoded = encodeStored(crd as KubeObject, encodeJson);
      // text, number of a large member, text, ...
      const parts = Buffer.from(encoded).toString('utf8').split(marks);
      const pieces = parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : divided.large[Number(part)]));
      return Buffer.concat(pieces);
    },
  };
}

/** Whether stored objects look the same by both: not changed by names, columns or who converts them. */
export function haveSameSchemas(one: StoredObject, other: StoredObject): boolean {
  const [a, b] = [divide(one.json), divide(other.json)];
  return (
    a.schemas.length === b.schemas.length &&
    a.schemas.every((schema, index) => schema.equals(b.schemas[index])) &&
    JSON.stringify(shapeOf(a)) === JSON.stringify(shapeOf(b))
  );
}

/** What of a sketch decides how stored objects look. */
function shapeOf(divided: Divided): Json {
  const { spec } = decodeJson(joined(divided, nothing)) as unknown as CustomResourceDefinition;
  const versions = spec.versions.map(({ name, storage, schema, selectableFields = [] }) => [
    name,
    storage,
    schema !== undefined && schema.openAPIV3Schema !== undefined,
    selectableFields.map(({ jsonPath }) => jsonPath),
  ]);
  return [spec.preserveUnknownFields ?? false, versions];
}

interface Divided {
  /** What is around the large members: one more than there are of them. */
  readonly rest: readonly Buffer[];
  readonly large: readonly Buffer[];
  /** Those of the large members that are schemas. */
  readonly schemas: readonly Buffer[];
}

/** The definition with something else in place of its large members: the same for all, or one for each. */
function joined({ rest, large }: Divided, others: Buffer | readonly Buffer[]): Buffer {
  const other = (index: number): Buffer => (Buffer.isBuffer(others) ? others : others[index]);
  return Buffer.concat(rest.flatMap((part, index) => (index < large.length ? [part, other(index)] : part)));
}

function divide(json: Uint8Array): Divided {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const schemas: Buffer[] = [];
  const found: Buffer[] = [];
  const rest: Buffer[] = [];
  const ahead = largeMembers.map(({ member }) => bytes.indexOf(member));
  let done = 0;
  for (;;) {
    const which = nearest(ahead);
    if (which === undefined) break;
    const { member, opens } = largeMembers[which];
    const at = ahead[which] + member.length;
    const isMember = ahead[which] >= done && bytes[ahead[which] - 1] !== backslash && bytes[at] === opens;
    if (isMember) {
      const end = endOf(bytes, at);
      found.push(bytes.subarray(at, end));
      if (member === isSchema) schemas.push(bytes.subarray(at, end));
      rest.push(bytes.subarray(done, at));
      done = end;
    }
    ahead[which] = bytes.indexOf(member, Math.max(at, done));
  }
  rest.push(bytes.subarray(done));
  return { rest, large: found, schemas };
}

function nearest(places: readonly number[]): number | undefined {
  let best: number | undefined;
  for (const [index, place] of places.entries()) {
    if (place >= 0 && (best === undefined || place < places[best])) best = index;
  }
  return best;
}

/** Behind the object or list that begins at `start`. */
function endOf(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    switch (bytes[at]) {
      case mark:
        at = endOfText(bytes, at);
        break;
      case 0x7b:
      case 0x5b:
        depth++;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        if (depth === 0) return at + 1;
    }
  }
  return bytes.length;
}

/** At the mark that ends the text which begins at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== mark) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
