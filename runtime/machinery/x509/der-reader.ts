/** A tag-length-value of ASN.1's distinguished encoding rules (X.690). */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The bytes including tag and length. */
  readonly whole: Buffer;
}

/** Tags of the types in certificates and certificate requests. */
export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Bytes are not the expected DER. The message is encoding/asn1's. */
export class DERError extends Error {}

export const structureError = (what: string): DERError => new DERError(`asn1: structure error: ${what}`);

/** Reads elements one after the other, without recursion. Reads each byte once. */
export class DERReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The tag of the next element; undefined at the end. */
  get nextTag(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** @throws DERError at the end, for a cut-off element, or if a length is not in the shortest form */
  next(): Element {
    const bytes = this.#bytes;
    const begin = this.#at;
    const tag = bytes[begin];
    const first = bytes[begin + 1];
    if (tag === undefined || first === undefined) throw new DERError('asn1: syntax error: sequence truncated');
    if ((tag & 0x1f) === 0x1f) throw structureError('tags do not match');
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const start = begin + 2 + lengthBytes;
    if (first === 0x80) throw new DERError('asn1: syntax error: indefinite length found (not DER)');
    if (lengthBytes > 4) throw structureError('length too large');
    if (start > bytes.length) throw new DERError('asn1: syntax error: truncated base 128 integer');
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(begin + 2, lengthBytes);
    if (lengthBytes > 0 && bytes[begin + 2] === 0) throw structureError('superfluous leading zeros in length');
    if (lengthBytes > 0 && length < 0x80) throw structureError('non-minimal length');
    if (start + length > bytes.length) throw new DERError('asn1: syntax error: data truncated');
    this.#at = start + length;
    return {
      tag,
      content: bytes.subarray(start, this.#at),
      whole: bytes.subarray(begin, this.#at),
    };
  }

  /**
   * Returns the next element, which must have the tag.
   *
   * @throws DERError
   */
  expect(tag: number): Element {
    const element = this.next();
    if (element.tag !== tag) throw structureError('tags do not match');
    return element;
  }

  /**
   * Returns a reader of the next element's content. The element must have the tag.
   *
   * @throws DERError
   */
  enter(tag: number): DERReader {
    return new DERReader(this.expect(tag).content);
  }

  /** @throws DERError if bytes are left */
  end(): void {
    if (!this.isAtEnd) throw new DERError('asn1: syntax error: trailing data');
  }
}

/**
 * Yields the elements in a content.
 *
 * @throws DERError
 */
export function* elements(content: Buffer): Generator<Element, void, undefined> {
  for (const reader = new DERReader(content); !reader.isAtEnd; ) yield reader.next();
}

/** Returns the dotted form: `2.5.4.3`. */
export function objectIdentifierText({ content }: Element): string {
  const parts: number[] = [];
  let part = 0;
  for (const byte of content) {
    part = part * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (parts.length === 0) {
      const first = Math.min(2, Math.floor(part / 40));
      parts.push(first, part - first * 40);
    } else parts.push(part);
    part = 0;
  }
  return parts.join('.');
}
