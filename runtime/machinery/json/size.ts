import { Float64 } from './float64.ts';
import { htmlSafe } from './html-safe.ts';

/** Text that JSON writes without escapes, in as many bytes as it has characters. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

/** Returns the size of a value in bytes, as compact JSON with Go's escapes. Undefined members do not count. */
export function jsonSize(value: unknown): number {
  if (value === null) return 4;
  switch (typeof value) {
    case 'string':
      return textSize(value);
    case 'object':
      if (Array.isArray(value)) return listSize(value);
      return value instanceof Float64 ? JSON.stringify(value).length : objectSize(value as Record<string, unknown>);
    case 'undefined':
      return 0;
    default:
      return String(value).length;
  }
}

function listSize(list: readonly unknown[]): number {
  let size = 1 + Math.max(list.length, 1);
  for (const item of list) size += item === undefined ? 4 : jsonSize(item);
  return size;
}

function objectSize(object: Readonly<Record<string, unknown>>): number {
  let size = 2;
  let members = 0;
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (member === undefined) continue;
    members++;
    size += textSize(name) + 1 + jsonSize(member);
  }
  return size + Math.max(members - 1, 0);
}

const textSize = (text: string): number => (plain.test(text) ? text.length + 2 : Buffer.byteLength(htmlSafe(JSON.stringify(text))));
