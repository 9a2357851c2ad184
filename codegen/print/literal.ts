/** A value as a TypeScript expression, in the house's quotes and key style. */
export function text(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
    return entries.length === 0
      ? '{}'
      : `{ ${entries.map(([key, entry]) => `${objectKey(key)}: ${text(entry)}`).join(', ')} }`;
  }
  if (typeof value === 'bigint') return `${value}n`;
  return String(value);
}

/** A key of an object literal; quoted where it has to be. `__proto__` is computed, or it would set the prototype. */
export function objectKey(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : quoted(key);
}

function quoted(value: string): string {
  const json = JSON.stringify(value).replace(/\u2028|\u2029/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
  return `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}
