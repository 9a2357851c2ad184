/** The bytes of JSON's punctuation and of the letters that values begin with. */
export const [quote, backslash, comma, colon, minus, zero, nine] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x30, 0x39] as const;
export const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
export const [letterF, letterN, letterT, letterUpperT, letterZ] = [0x66, 0x6e, 0x74, 0x54, 0x5a] as const;
