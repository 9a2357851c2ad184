import type { Random } from '../support/random.ts';

const pageBytes = 4096;

/** Damages a data file like faulty disks or people. Each function returns a description. */
export const damages: Readonly<Record<string, (file: Buffer, random: Random) => Buffer>> = {
  'one bit is flipped': (file, random) => {
    file[random.between(0, file.length - 1)] ^= 1 << random.between(0, 7);
    return file;
  },
  'one bit of a header is flipped': (file, random) => {
    const at = random.between(0, file.length / pageBytes - 1) * pageBytes + random.between(0, 63);
    file[at] ^= 1 << random.between(0, 7);
    return file;
  },
  'one bit of the meta pages is flipped': (file, random) => {
    const at = random.between(0, 1) * pageBytes + random.between(0, 24 + 135);
    file[at] ^= 1 << random.between(0, 7);
    return file;
  },
  'some bytes are overwritten': (file, random) => {
    const at = random.between(0, file.length - 64);
    for (let index = 0; index < random.between(1, 64); index += 1) file[at + index] = random.between(0, 255);
    return file;
  },
  'a page is zero': (file, random) => {
    const at = random.between(0, file.length / pageBytes - 1) * pageBytes;
    return file.fill(0, at, at + pageBytes);
  },
  'half a page is that of another': (file, random) => {
    const [from, to] = [0, 1].map(() => random.between(0, file.length / pageBytes - 1) * pageBytes);
    file.copy(file, to, from, from + pageBytes / random.between(1, 2));
    return file;
  },
  'it is truncated': (file, random) => file.subarray(0, random.between(1, file.length - 1)),
  'its end is zero': (file, random) => file.fill(0, random.between(0, file.length - 1)),
};
