/** Joins `count` pieces of text, each made from its index. */
export function many(count: number, piece: (at: number) => string, between = ','): string {
  const pieces = new Array<string>(count);
  for (let at = 0; at < count; at++) pieces[at] = piece(at);
  return pieces.join(between);
}

/** A text repeated up to a length. */
export const long = (bytes: number, of = 'a'): string => of.repeat(Math.floor(bytes / of.length));

/** Repeats `open`, appends the middle, and repeats `close` as often. */
export const nested = (levels: number, open: string, close: string, middle = ''): string =>
  open.repeat(levels) + middle + close.repeat(levels);

export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
/** Close to the maximum size of a body. */
export const large = Math.floor(2.9 * mebibyte);

/** Formats a number of bytes or items for names of rows. */
export const count = (of: number): string => of.toLocaleString('en');
