import { describe, expect, test } from '@jest/globals';
import { strippedElf } from '../../../packaging/executable/stripped-elf.ts';

/** A section as [flags, type, bytes]. The last one has the names. */
type Section = readonly [flags: bigint, type: number, bytes: Buffer];

/** Returns an ELF file with one program header, which loads the first 128 bytes. */
function elf(sections: readonly Section[]): Buffer {
  const header = Buffer.alloc(128);
  header.write('\x7fELF\x02\x01', 'latin1');
  header.writeBigUInt64LE(64n, 0x20);
  header.writeUInt16LE(56, 0x36);
  header.writeUInt16LE(1, 0x38);
  header.writeBigUInt64LE(128n, 64 + 0x20);
  let position = header.length;
  const headers = [Buffer.alloc(64)];
  for (const [flags, type, bytes] of sections) {
    const entry = Buffer.alloc(64);
    entry.writeUInt32LE(type, 0x04);
    entry.writeBigUInt64LE(flags, 0x08);
    entry.writeBigUInt64LE(BigInt(position), 0x18);
    entry.writeBigUInt64LE(BigInt(bytes.length), 0x20);
    headers.push(entry);
    position += bytes.length;
  }
  header.writeBigUInt64LE(BigInt(position), 0x28);
  header.writeUInt16LE(64, 0x3a);
  header.writeUInt16LE(headers.length, 0x3c);
  header.writeUInt16LE(headers.length - 1, 0x3e);
  return Buffer.concat([header, ...sections.map(([, , bytes]) => bytes), ...headers]);
}

const text: Section = [2n, 1, Buffer.alloc(16, 'text')];
const symbols: Section = [0n, 2, Buffer.alloc(100_000, 'symbols')];
const names: Section = [0n, 3, Buffer.from('\0.text\0')];

describe('a stripped ELF file', () => {
  test('keeps what is loaded where it is, and the names of sections', () => {
    const file = elf([text, symbols, names]);
    const stripped = strippedElf(file);
    expect(stripped.length).toBeLessThan(1_000);
    expect(stripped.subarray(0x40, 144).equals(file.subarray(0x40, 144))).toBe(true);
    expect([stripped.readUInt16LE(0x3c), stripped.readUInt16LE(0x3e)]).toEqual([3, 2]);
    expect(stripped.includes(names[2])).toBe(true);
  });

  test('is the same when it is stripped again', () => {
    const stripped = strippedElf(elf([text, symbols, names]));
    expect(strippedElf(stripped).equals(stripped)).toBe(true);
  });

  test.each([
    ['another file', Buffer.alloc(64)],
    ['a file with loaded sections after others', elf([symbols, text, names])],
  ])('is not made of %s', (_, file) => {
    expect(() => strippedElf(file)).toThrow(/ELF/);
  });
});
