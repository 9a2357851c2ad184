import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { headerDictionary } from './dictionary.ts';
import { SpdyError } from './spdy-error.ts';

/** Headers with lower-case names. NUL joins several values. */
export type Headers = Readonly<Record<string, string>>;

/** The maximum decompressed bytes and headers of a block. */
const [maxBytes, maxHeaders] = [64 * 1024, 100];

/** Writes the header blocks of one connection in the order of its frames, with a shared compressor. */
export class HeaderWriter {
  readonly #deflate: Deflate = createDeflate({ dictionary: headerDictionary });
  #parts: Buffer[] = [];

  constructor() {
    this.#deflate.on('data', (part: Buffer) => this.#parts.push(part));
  }

  async write(headers: Headers): Promise<Buffer> {
    this.#deflate.write(encode(headers));
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    return Buffer.concat(this.#parts.splice(0));
  }

  close(): void {
    this.#deflate.close();
  }
}

/** Reads the header blocks of one connection in the order of its frames, with a shared decompressor. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: headerDictionary });
  #parts: Buffer[] = [];
  #bytes = 0;
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    this.#inflate.on('data', (part: Buffer) => {
      this.#bytes += part.length;
      if (this.#bytes > maxBytes) this.#inflate.destroy();
      else this.#parts.push(part);
    });
    this.#inflate.on('error', (error) => this.#fail(error));
  }

  /** @throws SpdyError */
  async read(block: Buffer): Promise<Headers> {
    this.#bytes = 0;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject;
        this.#inflate.write(block, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      throw new SpdyError('protocolError', `the headers cannot be decompressed: ${messageOf(error)}`);
    }
    if (this.#bytes > maxBytes) throw new SpdyError('frameTooLarge', 'the headers are too large');
    return decode(Buffer.concat(this.#parts.splice(0)));
  }

  close(): void {
    this.#inflate.close();
  }
}

function encode(headers: Headers): Buffer {
  const texts = Object.entries(headers).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
  const block = Buffer.alloc(texts.reduce((sum, { length }) => sum + 4 + length, 4));
  let at = block.writeUInt32BE(texts.length / 2);
  for (const text of texts) {
    at = block.writeUInt32BE(text.length, at);
    at += text.copy(block, at);
  }
  return block;
}

function decode(block: Buffer): Headers {
  let at = 0;
  const number = (): number => {
    if (at + 4 > block.length) throw new SpdyError('protocolError', 'the headers are truncated');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (at + length > block.length) throw new SpdyError('protocolError', 'the headers are truncated');
    at += length;
    return block.toString('utf8', at - length, at);
  };
  const count = number();
  if (count > maxHeaders) throw new SpdyError('frameTooLarge', 'there are too many headers');
  const headers = new Map<string, string>();
  for (let left = count; left > 0; left--) {
    const name = text();
    const value = text();
    if (name === '' || name !== name.toLowerCase() || headers.has(name)) {
      throw new SpdyError('protocolError', 'the name of a header is empty, not in lower case, or there twice');
    }
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
