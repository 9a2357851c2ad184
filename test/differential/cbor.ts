/**
 * Converts JSON text to CBOR and back to compare two servers' output. Members keep their order and may repeat, and
 * `1.0` becomes a float. It shares no code with the server's codec, which is under test.
 */

/** The tag that begins each document. */
const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);

/** @throws SyntaxError if the text is not JSON */
export function jsonToCbor(text: string): Buffer {
  JSON.parse(text);
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{}]/g) ?? [];
  const parts: Buffer[] = [selfDescribed];
  const open: { isMap: boolean; at: number; items: number }[] = [];
  for (const token of tokens) {
    if (token === ']' || token === '}') {
      const { isMap, at, items } = open.pop() ?? { isMap: false, at: 0, items: 0 };
      parts[at] = isMap ? head(5, items / 2) : head(4, items);
      continue;
    }
    const container = open.at(-1);
    if (container !== undefined) container.items++;
    if (token === '[' || token === '{') {
      open.push({ isMap: token === '{', at: parts.length, items: 0 });
      parts.push(Buffer.alloc(0));
    } else parts.push(scalar(token));
  }
  return Buffer.concat(parts);
}

function scalar(token: string): Buffer {
  if (token.startsWith('"')) {
    const bytes = Buffer.from(JSON.parse(token));
    return Buffer.concat([head(2, bytes.length), bytes]);
  }
  const simple = ['false', 'true', 'null'].indexOf(token);
  if (simple >= 0) return Buffer.from([0xf4 + simple]);
  if (/^-?\d+$/.test(token)) {
    const value = BigInt(token);
    const magnitude = value < 0n ? -1n - value : value;
    if (magnitude < 2n ** 64n) return head(value < 0n ? 1 : 0, magnitude);
  }
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xfb;
  bytes.writeDoubleBE(Number(token), 1);
  return bytes;
}

/** Encodes the major type and the argument in as few bytes as possible. */
function head(major: number, argument: number | bigint): Buffer {
  const value = BigInt(argument);
  if (value < 24n) return Buffer.from([(major << 5) | Number(value)]);
  const size = value < 0x100n ? 1 : value < 0x1_0000n ? 2 : value < 0x1_0000_0000n ? 4 : 8;
  const bytes = Buffer.alloc(9);
  bytes.writeBigUInt64BE(value, 1);
  bytes[8 - size] = (major << 5) | (24 + Math.log2(size));
  return bytes.subarray(8 - size);
}

/** A document and the position of the next one. */
export interface CborDocument {
  /** JSON, with marks for output that Kubernetes' encoder never writes. */
  readonly json: string;
  readonly end: number;
  /** Whole numbers in the document are floats. */
  readonly hasWholeFloats: boolean;
}

/** Returns the document at `start`; undefined if it is incomplete, or has items of indefinite length. */
export function cborToJson(bytes: Buffer, start = 0): CborDocument | undefined {
  const reader = new Reader(bytes, start);
  try {
    const isDescribed = bytes.subarray(start, start + 3).equals(selfDescribed);
    const json = reader.item();
    return {
      json: isDescribed ? json : odd('without tag', json),
      end: reader.at,
      hasWholeFloats: reader.hasWholeFloats,
    };
  } catch {
    return undefined;
  }
}

const odd = (what: string, json: string): string => `{${JSON.stringify(what)}:${json}}`;

class Reader {
  at: number;
  hasWholeFloats = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  item(): string {
    const { major, info, argument } = this.#head();
    switch (major) {
      case 0:
        return String(argument);
      case 1:
        return String(-1n - argument);
      case 2:
        return JSON.stringify(this.#take(argument).toString());
      case 3:
        return JSON.stringify(`text string ${this.#take(argument)}`);
      case 4:
        return `[${this.#items(argument, () => this.item())}]`;
      case 5:
        return `{${this.#items(argument, () => `${this.item()}:${this.item()}`)}}`;
      case 6:
        return this.#tagged(argument);
      default:
        return this.#primitive(info, argument);
    }
  }

  #items(count: bigint, read: () => string): string {
    const items: string[] = [];
    while (items.length < Number(count)) items.push(read());
    return items.join();
  }

  #tagged(tag: bigint): string {
    if (tag === 55799n) return this.item();
    if (tag !== 22n) return odd(`tag ${tag}`, this.item());
    const { major, argument } = this.#head();
    return major === 2 ? JSON.stringify(this.#take(argument).toString('base64')) : odd('base64', String(major));
  }

  #primitive(info: number, argument: bigint): string {
    const simple = ['false', 'true', 'null'][info - 20];
    if (simple !== undefined) return simple;
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, argument);
    if (info === 27) return this.#float(view.getFloat64(0));
    if (info === 26) return this.#float(view.getFloat32(4));
    if (info === 25) return this.#float(half(Number(argument)));
    return odd('simple value', String(argument));
  }

  /** Whole floats are written as integers: docs/differences.md says why. */
  #float(value: number): string {
    this.hasWholeFloats ||= Number.isInteger(value);
    return JSON.stringify(value);
  }

  #head(): { major: number; info: number; argument: bigint } {
    const [first] = this.#take(1n);
    const info = first & 31;
    if (info > 27) throw new Error(`an item of indefinite length: ${first}`);
    const argument = info < 24 ? BigInt(info) : BigInt(`0x${this.#take(2n ** BigInt(info - 24)).toString('hex')}`);
    return { major: first >> 5, info, argument };
  }

  /** @throws RangeError if too few bytes are left */
  #take(count: bigint): Buffer {
    const start = this.at;
    if (BigInt(start) + count > this.#bytes.length) throw new RangeError('the document goes on');
    this.at += Number(count);
    return this.#bytes.subarray(start, this.at);
  }
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return exponent === 31 ? Number.NaN : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
