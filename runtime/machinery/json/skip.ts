const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns the index of the quotation mark that closes the string opened at `start`. Without one, returns the end of the
 * text.
 */
export function closingQuote(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
}

/** Returns the index after the object or array that opens at `start`. */
export function skipContainer(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = closingQuoteByte(json, at);
        break;
      case 0x7b:
      case 0x5b:
        depth++;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** Returns the index of the quotation mark that closes the string opened at `start`. */
export function closingQuoteByte(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
