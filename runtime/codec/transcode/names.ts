import type { FieldPlan } from './plan.ts';

/** Reports whether a member's name, which begins at `at`, is that of a field or of a member of an inlined struct. */
export function isNamed(json: Uint8Array, { name, inlined }: FieldPlan, at: number): boolean {
  if (inlined === undefined) return startsWith(json, name, at);
  for (const field of inlined.fields) if (isNamed(json, field, at)) return true;
  return false;
}

/** Reports whether the text at a position begins with a name and its closing quote. */
export function startsWith(json: Uint8Array, name: Uint8Array, at: number): boolean {
  for (let index = 0; index < name.length; index++) if (json[at + index] !== name[index]) return false;
  return true;
}

/** Compares two keys by their bytes. An empty range is before every key. */
export function isBefore(json: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd === 0) return true;
  const size = Math.min(aEnd - aStart, bEnd - bStart);
  for (let index = 0; index < size; index++) {
    const [a, b] = [json[aStart + index] ?? 0, json[bStart + index] ?? 0];
    if (a !== b) return a < b;
  }
  return aEnd - aStart < bEnd - bStart;
}
