/** Returns a copy with the keys of all objects in code-unit order. Lists keep their order. */
export function sortKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys((value as Record<string, unknown>)[key])]),
  ) as T;
}

/**
 * JSON with a line for every value that fits into one, and a final newline: compact, yet readable in a diff. Equal
 * values give equal bytes.
 */
export function normalText(value: unknown): string {
  return `${lines(value, 0)}\n`;
}

const lineWidth = 140;

function lines(value: unknown, depth: number): string {
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || (depth > 0 && flat.length + depth <= lineWidth)) return flat;
  const indent = ' '.repeat(depth + 1);
  const parts = Array.isArray(value)
    ? value.map((item) => `${indent}${lines(item, depth + 1)}`)
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${indent}${JSON.stringify(key)}: ${lines(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${' '.repeat(depth)}${close}`;
}
