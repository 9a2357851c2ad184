/** libyaml's classes of characters. A character is a UTF-16 unit; NUL is the end of the stream. (yamlprivateh.go) */

const blank = 1;
const lineBreak = 2;
const end = 4;
const word = 8;
const digit = 16;
const hex = 32;
const uri = 64;
const flowIndicator = 128;

const classes = new Uint8Array(0x100);
/** The classes of a character; 0 beyond Latin-1. */
const classOf = (c: number): number => classes[c] ?? 0;
const mark = (chars: string, kind: number): void => {
  for (const char of chars) classes[char.charCodeAt(0)] = classOf(char.charCodeAt(0)) | kind;
};
mark(' \t', blank);
mark('\r\n\x85', lineBreak);
mark('\0', end);
mark('0123456789', digit | hex | word);
mark('abcdefABCDEF', hex);
mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-', word);
mark(',?[]{}', flowIndicator);
mark(";/?:@&=+$,.!~*'()[]%", uri);

const isWideBreak = (c: number): boolean => c === 0x2028 || c === 0x2029;

export const isBlank = (c: number): boolean => c === 0x20 || c === 0x09;
/** CR, LF, NEL, LS and PS, as in YAML 1.1. */
export const isBreak = (c: number): boolean => (c < 0x100 ? (classOf(c) & lineBreak) !== 0 : isWideBreak(c));
export const isBreakOrEnd = (c: number): boolean => (c < 0x100 ? (classOf(c) & (lineBreak | end)) !== 0 : isWideBreak(c));
export const isSpaceOrEnd = (c: number): boolean => (c < 0x100 ? (classOf(c) & (blank | lineBreak | end)) !== 0 : isWideBreak(c));
/** ASCII letters, digits, `_` and `-`. */
export const isWord = (c: number): boolean => c < 0x100 && (classOf(c) & word) !== 0;
export const isDigit = (c: number): boolean => c < 0x100 && (classOf(c) & digit) !== 0;
export const isHex = (c: number): boolean => c < 0x100 && (classOf(c) & hex) !== 0;
export const isUri = (c: number): boolean => c < 0x100 && (classOf(c) & (uri | word)) !== 0;
/** Ends a plain scalar in a flow collection. */
export const isFlowIndicator = (c: number): boolean => c < 0x100 && (classOf(c) & flowIndicator) !== 0;
