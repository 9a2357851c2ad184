/** Writes a string in single quotes, or in double quotes if they need fewer escapes. */
export function quoted(literal: string): string {
  const body = literal.slice(1, -1);
  const singles = body.match(/'/g)?.length ?? 0;
  const doubles = body.match(/"/g)?.length ?? 0;
  const quote = singles > doubles ? '"' : "'";
  if (quote === literal[0]) return literal;
  const escaped = body.replace(/\\(.)|["']/gs, (whole: string, after: string | undefined) => {
    if (whole === quote) return `\\${quote}`;
    return after !== undefined && after === literal[0] ? after : whole;
  });
  return quote + escaped + quote;
}

/** Writes a number without redundant signs: `1e+21` is `1e21`. */
export const numberText = (literal: string): string => literal.toLowerCase().replace(/e\+/, 'e');

/** Returns the name of a property without quotes if it is an identifier. */
export function propertyName(literal: string): string {
  const name = literal.slice(1, -1);
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) ? name : quoted(literal);
}

/** Returns the columns of a text: wide East Asian characters take two, combining marks none. */
export function widthOf(text: string): number {
  if (!/[^\x20-\x7e]/.test(text)) return text.length;
  return [...text].reduce((sum, char) => sum + (/\p{Mark}/u.test(char) ? 0 : isWide(char.codePointAt(0) ?? 0) ? 2 : 1), 0);
}

/** The first and the last character of the blocks of wide characters. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

const isWide = (code: number): boolean => wideBlocks.some(([first, last]) => code >= first && code <= last);
