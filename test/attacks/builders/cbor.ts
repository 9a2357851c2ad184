/** Returns the head of a CBOR item: its major type and its length or number. (RFC 8949) */
export function head(major: number, argument: number | bigint): Buffer {
  const first = major * 32;
  if (argument < 24) return Buffer.from([first + Number(argument)]);
  if (argument < 2 ** 16) return Buffer.from([first + 25, Number(argument) >> 8, Number(argument) & 0xff]);
  const long = Buffer.alloc(9, first + 27);
  long.writeBigUInt64BE(BigInt(argument), 1);
  return long;
}

export const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);

/** Returns a map of encoded pairs. */
export const map = (...pairs: [string, Uint8Array][]): Buffer =>
  Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([name, value]) => [text(name), value])]);

/** Encodes a JSON value. Numbers are small integers. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return head(0, value);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return map(...Object.entries(value as object).map(([name, one]): [string, Buffer] => [name, cbor(one)]));
}
