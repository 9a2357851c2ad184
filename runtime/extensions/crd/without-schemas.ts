import { randomUUID } from 'node:crypto';
import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { decodeJson, encodeJson } from '../../codec/json.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { skipContainer } from '../../machinery/json/skip.ts';
import { fromUnstructured, type Json, type KubeObject } from '../../machinery/object.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { encodeStored } from '../../storage/object-store/stored-json.ts';
import { schemaOf } from './api-helpers.ts';

/** The members that hold most of a definition's bytes, and the first bytes of their values. */
const largeMembers = [
  { member: Buffer.from('"openAPIV3Schema":'), opening: 0x7b },
  { member: Buffer.from('"managedFields":'), opening: 0x5b },
] as const;
const schemaMember = largeMembers[0].member;
const backslash = 0x5c;
const jsonNull = Buffer.from('null');

/**
 * Decodes a definition with null in place of its schemas and managed fields. Schemas are skipped as bytes, at a tenth of
 * the cost of decoding them; most definitions are never used, so that their schemas need not be decoded at all.
 *
 * @throws StorageError `corrupt`
 */
export function decodeWithoutSchemas(stored: StoredObject): CustomResourceDefinition {
  try {
    return fromUnstructured(decodeJson(join(split(stored.json), jsonNull))) as CustomResourceDefinition;
  } catch {
    // reports the error as for any other object
    return stored.decode() as CustomResourceDefinition;
  }
}

/** A definition whose metadata and status can be changed without decoding its schemas. */
export interface DefinitionEdit {
  /** Has placeholders for schemas, which must not be changed, and for managed fields, which may be replaced. */
  readonly crd: CustomResourceDefinition;
  /** The same object. */
  readonly object: KubeObject;
  /** The managed fields before the change. */
  readonly managedFields: KubeObject['metadata']['managedFields'];
  /** Encodes the changed definition for storage, schemas included. */
  encode(): Uint8Array;
}

/** @throws StorageError `corrupt` */
export function editWithoutSchemas(stored: StoredObject): DefinitionEdit {
  const parts = split(stored.json);
  const placeholder = randomUUID();
  const placeholders = parts.large.map((_, index) => Buffer.from(`"${placeholder} ${index}"`));
  const object = fromUnstructured(decodeJson(join(parts, placeholders)));
  const pattern = new RegExp(`"${placeholder} ([0-9]+)"`);
  const managed = pattern.exec(JSON.stringify(object.metadata.managedFields ?? null));
  return {
    object,
    crd: object as CustomResourceDefinition,
    managedFields: managed ? managedFieldsOf(elementAt(parts.large, Number(managed[1]))) : undefined,
    encode() {
      const text = Buffer.from(encodeStored(object, encodeJson)).toString('utf8');
      // text, index of a large member, text, ...
      const pieces = text.split(pattern);
      return Buffer.concat(pieces.map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : elementAt(parts.large, Number(piece)))));
    },
  };
}

const managedFieldsOf = (json: Uint8Array): KubeObject['metadata']['managedFields'] =>
  fromUnstructured({ metadata: { managedFields: decodeJson(json) } }).metadata.managedFields;

/**
 * Reports whether two states of a definition decode stored objects in the same way. Changed names, columns and
 * converters make no difference.
 */
export function haveSameSchemas(one: StoredObject, other: StoredObject): boolean {
  const [a, b] = [split(one.json), split(other.json)];
  return (
    a.schemas.length === b.schemas.length &&
    a.schemas.every((schema, index) => schema.equals(elementAt(b.schemas, index))) &&
    JSON.stringify(versionsOf(a)) === JSON.stringify(versionsOf(b))
  );
}

/** Returns every part of a definition, besides its schemas, that affects the decoding of stored objects. */
function versionsOf(parts: DefinitionParts): Json {
  const { spec } = fromUnstructured<CustomResourceDefinition>(decodeJson(join(parts, jsonNull)));
  const versions = spec.versions.map((version) => [
    version.name,
    version.storage,
    schemaOf(version) !== undefined,
    (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
  ]);
  return [spec.preserveUnknownFields ?? false, versions];
}

/** The bytes of a definition, split at its large members. */
interface DefinitionParts {
  /** The pieces between the large members: one piece more than there are members. */
  readonly rest: readonly Buffer[];
  /** The values of the large members. */
  readonly large: readonly Buffer[];
  /** The schemas among the large members. */
  readonly schemas: readonly Buffer[];
}

/** Joins the parts with other values for the large members: one value for all, or one for each. */
function join({ rest, large }: DefinitionParts, values: Buffer | readonly Buffer[]): Buffer {
  const value = (index: number): Buffer => (Buffer.isBuffer(values) ? values : elementAt(values, index));
  return Buffer.concat(rest.flatMap((part, index) => (index < large.length ? [part, value(index)] : part)));
}

function split(json: Uint8Array): DefinitionParts {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const schemas: Buffer[] = [];
  const large: Buffer[] = [];
  const rest: Buffer[] = [];
  const next = largeMembers.map(({ member }) => bytes.indexOf(member));
  let done = 0;
  for (;;) {
    const found = indexOfSmallest(next);
    if (found === undefined) break;
    const [which, position] = found;
    const { member, opening } = elementAt(largeMembers, which);
    const at = position + member.length;
    const isMember = position >= done && bytes[position - 1] !== backslash && bytes[at] === opening;
    if (isMember) {
      const end = skipContainer(bytes, at);
      large.push(bytes.subarray(at, end));
      if (member === schemaMember) schemas.push(bytes.subarray(at, end));
      rest.push(bytes.subarray(done, at));
      done = end;
    }
    next[which] = bytes.indexOf(member, Math.max(at, done));
  }
  rest.push(bytes.subarray(done));
  return { rest, large, schemas };
}

/** The smallest position with its index. Ignores negative positions. */
function indexOfSmallest(positions: readonly number[]): [index: number, position: number] | undefined {
  let best: [number, number] | undefined;
  for (const [index, position] of positions.entries()) {
    if (position >= 0 && (best === undefined || position < best[1])) best = [index, position];
  }
  return best;
}
