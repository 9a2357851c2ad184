/** The default function of kinds that have no defaults. */
export function nothingToDefault(_object: object): void {}

/** A copy of a JSON value that shares nothing with it. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: copyJson(entry),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[key] = copyJson(entry);
  }
  return copy as T;
}
