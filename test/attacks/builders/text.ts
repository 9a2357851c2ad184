/** `count` pieces of text, each from its number, joined. */
export function many(count: number, piece: (at: number) => string, between = ','): string {
  const pieces = new Array<string>(count);
  for (let at = 0; at < count; at++) pieces[at] = piece(at);
  return pieces.join(between);
}

/** A text of repetitions of another, at most so long. */
export const long = (bytes: number, of = 'a'): string => of.repeat(Math.floor(bytes / of.length));

/** `open` so many times, the middle, and `close` as often. */
export const nested = (levels: number, open: string, close: string, middle = ''): string =>
  open.repeat(levels) + middle + close.repeat(levels);

export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
/** Close to the most that a body may have. */
export const large = Math.floor(2.9 * mebibyte);

/** A number of bytes or things for people, as it stands in names of rows. */
export const count = (of: number): string => of.toLocaleString('en');
