/* Archives as tar writes them: ustar, with the extended headers that long names need. (POSIX.1-2001 pax) */

const block = 512;
/** The longest file or header of an archive that is read, in bytes. */
const maxSize = 16 * 1024 * 1024;

export class TarError extends Error {}

export interface TarEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly content: Buffer;
}

/** The blocks of one entry. @param modified milliseconds since the epoch */
export function tarEntry({ name, isFolder, content }: TarEntry, modified: number): Buffer {
  const bytes = Buffer.byteLength(name);
  if (bytes <= 100) return header(name, content, isFolder ? '5' : '0', modified);
  const record = paxRecord('path', name);
  const short = Buffer.from(name).subarray(0, 100).toString('latin1');
  return Buffer.concat([header('PaxHeader', record, 'x', modified), header(short, content, isFolder ? '5' : '0', modified)]);
}

/** What an archive ends with. */
export const tarEnd = Buffer.alloc(2 * block);

function header(name: string, content: Buffer, type: string, modified: number): Buffer {
  const padded = Math.ceil(content.length / block) * block;
  const bytes = Buffer.alloc(block + padded);
  bytes.write(name, 0, 100);
  bytes.write(type === '5' ? '0000755' : '0000644', 100);
  bytes.write('0000000', 108);
  bytes.write('0000000', 116);
  bytes.write(content.length.toString(8).padStart(11, '0'), 124);
  bytes.write(
    Math.floor(modified / 1000)
      .toString(8)
      .padStart(11, '0'),
    136,
  );
  bytes.write('        ', 148);
  bytes.write(type, 156);
  bytes.write('ustar\x0000', 257);
  let sum = 0;
  for (const byte of bytes.subarray(0, block)) sum += byte;
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  content.copy(bytes, block);
  return bytes;
}

/** The length at the beginning of a record counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (String(length).length + Buffer.byteLength(rest) > length) length++;
  return Buffer.from(`${length}${rest}`);
}

/**
 * Folders and files of an archive; others are passed over.
 *
 * @param beforeEach awaited before each entry is read
 * @throws TarError
 */
export async function* tarEntries(source: AsyncIterable<Uint8Array>, beforeEach: () => Promise<void>): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(source);
  let longName: string | undefined;
  for (;;) {
    await beforeEach();
    const head = await reader.read(block);
    if (head === undefined || head[0] === 0) return;
    const size = Number.parseInt(text(head, 124, 12).trim() || '0', 8);
    if (!(size >= 0 && size <= maxSize)) throw new TarError('file too large');
    const content = await reader.read(Math.ceil(size / block) * block);
    if (content === undefined) throw new TarError('short read');
    const data = content.subarray(0, size);
    const type = text(head, 156, 1);
    if (type === 'x') longName = /(?:^|\n)\d+ path=(.*)\n/.exec(data.toString())?.[1];
    else if (type === 'L') longName = text(data, 0, size);
    else {
      const prefix = text(head, 257, 5) === 'ustar' ? text(head, 345, 155) : '';
      const name = longName ?? (prefix === '' ? text(head, 0, 100) : `${prefix}/${text(head, 0, 100)}`);
      longName = undefined;
      if (type === '5') yield { name, isFolder: true, content: Buffer.alloc(0) };
      else if (type === '0' || type === '') yield { name, isFolder: false, content: Buffer.from(data) };
    }
  }
}

/** Text up to its first zero. */
function text(bytes: Buffer, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return (end < 0 ? field : field.subarray(0, end)).toString();
}

class BlockReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; undefined if there are not as many. */
  async read(length: number): Promise<Buffer | undefined> {
    while (this.#size < length) {
      const { value, done } = await this.#source.next();
      if (done) return undefined;
      this.#chunks.push(value);
      this.#size += value.length;
    }
    const [first] = this.#chunks;
    // a chunk may have thousands of blocks
    const all = this.#chunks.length === 1 ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(length)];
    this.#size = all.length - length;
    return all.subarray(0, length);
  }
}
