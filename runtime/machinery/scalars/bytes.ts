import { DecodeError } from '../errors/decode-error.ts';

const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/**
 * Returns the canonical form of bytes in JSON: standard base64 with padding. Skips line breaks and clears the unused
 * bits of the last character. Throws DecodeError with Go's message. (Go encoding/base64, StdEncoding)
 */
export function canonicalBase64(text: string): string {
  // Long texts go straight to the decoder, because the pattern would fill the stack of the regular expression.
  if (text.length < 4096 && canonical.test(text)) return text;
  return bytesToBase64(base64ToBytes(text));
}

function base64ToBytes(text: string): Buffer {
  const bad = corruptInputAt(text);
  if (bad !== undefined) throw new DecodeError(`illegal base64 data at input byte ${bad}`);
  return Buffer.from(text, 'base64');
}

function bytesToBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Returns the offset of the error that Go's decoder reports. Returns undefined for valid input. */
function corruptInputAt(text: string): number | undefined {
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0) return undefined;
  let inQuantum = 0;
  let quantumStart = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\n' || char === '\r') continue;
    if (char === '=') return checkPadding(text, at, inQuantum);
    if (!/[A-Za-z0-9+/]/.test(char)) return byteOffset(text, at);
    if (inQuantum === 0) quantumStart = at;
    inQuantum = (inQuantum + 1) % 4;
  }
  return inQuantum === 0 ? undefined : byteOffset(text, quantumStart);
}

function checkPadding(text: string, at: number, inQuantum: number): number | undefined {
  if (inQuantum < 2) return byteOffset(text, at);
  const rest = text.slice(at + 1).replace(/[\r\n]+$/, '');
  const expected = inQuantum === 2 ? /^[\r\n]*=$/ : /^$/;
  if (expected.test(rest)) return undefined;
  if (inQuantum === 2 && !/^[\r\n]*=/.test(rest)) return byteOffset(text, at + 1 + (/^[\r\n]*/.exec(rest)?.[0].length ?? 0));
  const trailing = inQuantum === 2 ? /^[\r\n]*=[\r\n]*/.exec(rest) : /^[\r\n]*/.exec(rest);
  return byteOffset(text, at + 1 + (trailing?.[0].length ?? 0));
}

const byteOffset = (text: string, at: number): number => Buffer.byteLength(text.slice(0, at));
