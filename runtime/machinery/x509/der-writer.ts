/* The ASN.1 DER types that certificates need (X.690). Every function returns a complete tag-length-value. */

export function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => tagged(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => tagged(0x31, ...items);
export const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'));
export const printable = (text: string): Buffer => tagged(0x13, Buffer.from(text, 'latin1'));
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));

/** A bit string. `unused` is the number of unused bits in the last byte. */
export const bits = (bytes: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), bytes);

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const short = bytes.subarray(start < 0 ? -1 : start);
  const [first = 0] = short;
  return tagged(0x02, ...(first >= 0x80 ? [Buffer.from([0])] : []), short);
}

/** @param dotted for example `1.2.840.10045.4.3.2` */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes: number[] = [];
  for (const part of [first * 40 + second, ...rest]) {
    const digits = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** UTCTime until 2049, GeneralizedTime after that. (RFC 5280) */
export function time(milliseconds: number): Buffer {
  const digits = `${new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return Number(digits.slice(0, 4)) < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
