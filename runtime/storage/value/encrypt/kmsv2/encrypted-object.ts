import { createHash } from 'node:crypto';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { dnsSubdomain } from '../../../../machinery/validation/name-formats.ts';
import { TransformError } from '../../transformer.ts';

/** The derivation of the data encryption key from its source. (kmsv2/v2 api.proto EncryptedDEKSourceType) */
export const EncryptedDEKSourceType = {
  /** The source is the key. */
  AES_GCM_KEY: 0,
  /** The source is the seed of ExtendedNonceGCMTransformer. */
  HKDF_SHA256_XNONCE_AES_GCM_SEED: 1,
} as const;

/** A key management service's response for the source of a data encryption key. */
export interface EncryptedDEKSource {
  readonly keyID: string;
  readonly encryptedDEKSource: Uint8Array;
  /** Annotations by name, in plain text. */
  readonly annotations: ReadonlyMap<string, Uint8Array>;
  readonly encryptedDEKSourceType: number;
}

/** A stored value. (kmsv2/v2 api.proto) */
export interface EncryptedObject extends EncryptedDEKSource {
  readonly encryptedData: Uint8Array;
}

/** Limits in bytes. */
const maxKeyID = 1024;
const maxEncryptedDEKSource = 1024;
const maxAnnotations = 32 * 1024;

export function encodeEncryptedObject(object: EncryptedObject): Uint8Array {
  const { encryptedData, keyID, encryptedDEKSource, annotations, encryptedDEKSourceType } = object;
  const writer = new BinaryWriter();
  if (encryptedData.length > 0) writer.tag(1, WireType.LengthDelimited).bytes(encryptedData);
  if (keyID !== '') writer.tag(2, WireType.LengthDelimited).string(keyID);
  if (encryptedDEKSource.length > 0) writer.tag(3, WireType.LengthDelimited).bytes(encryptedDEKSource);
  writeBytesMap(writer, 4, annotations);
  if (encryptedDEKSourceType !== 0) writer.tag(5, WireType.Varint).int32(encryptedDEKSourceType);
  return writer.finish();
}

/** @throws TransformError if the bytes are not a valid object */
export function decodeEncryptedObject(bytes: Uint8Array): EncryptedObject {
  const annotations = new Map<string, Uint8Array>();
  const none: Uint8Array = new Uint8Array();
  const object = { encryptedData: none, keyID: '', encryptedDEKSource: none, annotations, encryptedDEKSourceType: 0 };
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field === 1) object.encryptedData = reader.bytes();
      else if (field === 2) object.keyID = reader.string();
      else if (field === 3) object.encryptedDEKSource = reader.bytes();
      else if (field === 4) readBytesEntry(reader, annotations);
      else if (field === 5) object.encryptedDEKSourceType = reader.int32();
      else reader.skip(wireType, field);
    }
  } catch {
    throw new TransformError('proto: cannot parse invalid wire-format data');
  }
  validateEncryptedObject(object);
  return object;
}

/** Writes a `map<string, bytes>`. */
export function writeBytesMap(writer: BinaryWriter, field: number, map: ReadonlyMap<string, Uint8Array>): void {
  for (const [key, value] of map) {
    writer.tag(field, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(key);
    writer.tag(2, WireType.LengthDelimited).bytes(value);
    writer.join();
  }
}

/** Reads one entry of a `map<string, bytes>`. */
export function readBytesEntry(reader: BinaryReader, map: Map<string, Uint8Array>): void {
  const end = reader.uint32() + reader.pos;
  let key = '';
  let value: Uint8Array = new Uint8Array();
  while (reader.pos < end) {
    const [field, wireType] = reader.tag();
    if (field === 1) key = reader.string();
    else if (field === 2) value = reader.bytes();
    else reader.skip(wireType, field);
  }
  map.set(key, value);
}

/**
 * (kmsv2 ValidateEncryptedObject)
 *
 * @throws TransformError
 */
export function validateEncryptedObject(object: EncryptedObject): void {
  if (object.encryptedDEKSourceType !== 0 && object.encryptedDEKSourceType !== 1) {
    throw new TransformError(`unknown encryptedDEKSourceType: ${object.encryptedDEKSourceType}`);
  }
  if (object.encryptedData.length === 0) throw new TransformError('encrypted data is empty');
  validateEncryptedDEKSource(object);
}

/** @throws TransformError */
export function validateEncryptedDEKSource({ encryptedDEKSource, keyID, annotations }: EncryptedDEKSource): void {
  const { length } = encryptedDEKSource;
  if (length === 0) throw new TransformError('failed to validate encrypted DEK source: encrypted DEK source is empty');
  if (length > maxEncryptedDEKSource) {
    const problem = `encrypted DEK source is ${length} bytes, which exceeds the max size of ${maxEncryptedDEKSource}`;
    throw new TransformError(`failed to validate encrypted DEK source: ${problem}`);
  }
  const keyProblem = keyIDProblem(keyID);
  if (keyProblem !== undefined) throw new TransformError(`failed to validate key id: ${keyProblem.message}`);
  let size = 0;
  for (const [name, value] of annotations) {
    size += Buffer.byteLength(name) + value.length;
    if (!isFullyQualifiedDomainName(name)) {
      throw new TransformError(
        `failed to validate annotations: annotations: Invalid value: ${JSON.stringify(name)}: should be a domain with at least two segments separated by dots`,
      );
    }
  }
  if (size > maxAnnotations) {
    const problem = `total size of annotations is ${size}, which exceeds the max size of ${maxAnnotations}`;
    throw new TransformError(`failed to validate annotations: ${problem}`);
  }
}

function isFullyQualifiedDomainName(name: string): boolean {
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  return domain.includes('.') && dnsSubdomain(domain).length === 0;
}

/** Returns undefined for a valid ID. `code` is for metrics. (kmsv2 ValidateKeyID) */
export function keyIDProblem(keyID: string): { code: 'empty' | 'too_long'; message: string } | undefined {
  const size = Buffer.byteLength(keyID);
  if (size === 0) return { code: 'empty', message: 'keyID is empty' };
  if (size <= maxKeyID) return undefined;
  return { code: 'too_long', message: `keyID is ${size} bytes, which exceeds the max size of ${maxKeyID}` };
}

/** Returns a hash of all data about the source of a data encryption key. (kmsv2 generateCacheKey) */
export function cacheKeyOf(source: EncryptedDEKSource): string {
  const hash = createHash('sha256');
  const add = (part: Uint8Array | string): void => {
    hash.update(uint32(Buffer.byteLength(part))).update(part);
  };
  hash.update(uint32(source.encryptedDEKSourceType));
  add(source.encryptedDEKSource);
  add(source.keyID);
  for (const [name, value] of [...source.annotations].sort(([a], [b]) => (a < b ? -1 : 1))) {
    add(name);
    add(value);
  }
  return hash.digest('base64');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Returns `sha256:` and the hash, or "" for "". (GetHashIfNotEmpty) */
export function hashIfNotEmpty(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
