/*
 * An ELF file is a header, program headers, the segments that these load, and sections. Linkers and debuggers alone read the
 * sections that are not loaded, and linkers put these last:
 *
 *   header | program headers | .text .data ... | .debug_info .symtab .strtab .shstrtab | section headers
 *                                              ^ end of what is loaded
 */

/** Positions of fields in a 64-bit header. (System V ABI, chapter 4) */
const inHeader = { phoff: 0x20, shoff: 0x28, phentsize: 0x36, phnum: 0x38, shentsize: 0x3a, shnum: 0x3c, shstrndx: 0x3e } as const;

/** Positions of fields in a section's header. */
const inSection = { type: 0x04, flags: 0x08, offset: 0x18, size: 0x20 } as const;

/** SHF_ALLOC: the section is loaded. */
const allocated = 2n;

/** SHT_NOBITS: the section has no bytes in the file, as .bss. */
const noBits = 8;

/**
 * Returns a 64-bit little-endian ELF file without the sections that are not loaded, such as symbols, as `strip` does. All
 * that is loaded stays byte for byte where it is, so a file for any processor can be stripped on any machine.
 */
export function strippedElf(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1) throw new Error('not a 64-bit little-endian ELF file');
  const sections = sectionsOf(file);
  // the first one is empty, and stands for "none"
  const loaded = sections.filter((section, index) => index === 0 || isLoaded(section));
  if (loaded.some((section, index) => section !== sections[index])) throw new Error('an ELF file with loaded sections after others');
  const names = Buffer.from(sections[file.readUInt16LE(inHeader.shstrndx)] ?? Buffer.alloc(0));
  const text = bytesOf(file, names);
  const end = aligned(Math.max(endOfSegments(file), ...loaded.map(endOf)));
  const headers = aligned(end + text.length);
  names.writeBigUInt64LE(BigInt(end), inSection.offset);

  const stripped = Buffer.alloc(headers + (loaded.length + 1) * names.length);
  file.copy(stripped, 0, 0, end);
  text.copy(stripped, end);
  Buffer.concat([...loaded, names]).copy(stripped, headers);
  stripped.writeBigUInt64LE(BigInt(headers), inHeader.shoff);
  stripped.writeUInt16LE(loaded.length + 1, inHeader.shnum);
  stripped.writeUInt16LE(loaded.length, inHeader.shstrndx);
  return stripped;
}

const aligned = (position: number): number => Math.ceil(position / 8) * 8;

function sectionsOf(file: Buffer): Buffer[] {
  const start = Number(file.readBigUInt64LE(inHeader.shoff));
  const size = file.readUInt16LE(inHeader.shentsize);
  const count = file.readUInt16LE(inHeader.shnum);
  return Array.from({ length: count }, (_, index) => file.subarray(start + index * size, start + (index + 1) * size));
}

/** Returns the end of the last byte that a program header loads. */
function endOfSegments(file: Buffer): number {
  const start = Number(file.readBigUInt64LE(inHeader.phoff));
  const size = file.readUInt16LE(inHeader.phentsize);
  const ends = Array.from({ length: file.readUInt16LE(inHeader.phnum) }, (_, index) => {
    const header = start + index * size;
    return Number(file.readBigUInt64LE(header + 0x08) + file.readBigUInt64LE(header + 0x20));
  });
  return Math.max(...ends);
}

const isLoaded = (section: Buffer): boolean => (section.readBigUInt64LE(inSection.flags) & allocated) !== 0n;
const startOf = (section: Buffer): number => Number(section.readBigUInt64LE(inSection.offset));
const sizeOf = (section: Buffer): number => Number(section.readBigUInt64LE(inSection.size));
const endOf = (section: Buffer): number => (section.readUInt32LE(inSection.type) === noBits ? 0 : startOf(section) + sizeOf(section));
const bytesOf = (file: Buffer, section: Buffer): Buffer => file.subarray(startOf(section), startOf(section) + sizeOf(section));
