import { maxInt64, maxUint64, minInt64 } from '../../machinery/scalars/integers.ts';
import { Bytes, Double, intValue, Uint, type Value } from '../values/value.ts';
import type { Token } from './lexer.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

/** The value of a token, or an error. */
export type ParsedLiteral = { readonly value: Value; readonly error?: undefined } | { readonly error: string };

/** Parses an int, uint or double literal, which must be in the range of its type. */
export function parseNumber({ kind, text }: Token, negative: boolean): ParsedLiteral {
  if (kind === 'float') {
    const value = Number(negative ? `-${text}` : text);
    return Number.isFinite(value) ? { value: new Double(value) } : { error: 'invalid double literal' };
  }
  if (kind === 'uint') {
    const value = BigInt(text.slice(0, -1));
    return value <= maxUint64 ? { value: new Uint(value) } : { error: 'invalid uint literal' };
  }
  const value = negative ? -BigInt(text) : BigInt(text);
  if (value > maxInt64 || value < minInt64) return { error: 'invalid int literal' };
  return { value: intValue(value) };
}

/** Parses a string or bytes literal. */
export function parseText({ kind, text }: Token): ParsedLiteral {
  if (kind === 'string') {
    const value = unescapeString(text);
    return value === undefined ? { error: 'invalid unicode code point' } : { value };
  }
  const value = unescapeBytes(text);
  return value === undefined ? { error: 'unable to unescape string' } : { value: new Bytes(value) };
}
