/** Keys and the expressions of their values. Entries without an expression are left out. */
export type Members = Iterable<readonly [key: string, expression: string | undefined]>;

/** Returns a JSON value as a TypeScript expression, in the house's quotes and key style. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return listLiteral(value.map(literal));
  if (typeof value === 'object' && value !== null) return objectLiteral(literals(value));
  if (typeof value === 'bigint') return `${value}n`;
  return String(value);
}

/** Returns the members of a JSON object. */
export function literals(value: object): [string, string | undefined][] {
  return Object.entries(value).map(([key, member]) => [key, member === undefined ? undefined : literal(member)]);
}

export const listLiteral = (expressions: readonly string[]): string => `[${expressions.join(', ')}]`;

/** Returns an object literal on one line, if it fits. `accessors` are getters, written after the members. */
export function objectLiteral(members: Members, accessors: readonly string[] = []): string {
  const texts = [...membersText(members), ...accessors];
  return texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
}

/** Returns an object literal with a line for each member. */
export function objectBlock(members: Members): string {
  const texts = membersText(members);
  return texts.length === 0 ? '{}' : `{\n${texts.map((text) => `  ${text},\n`).join('')}}`;
}

function membersText(members: Members): string[] {
  return [...members].flatMap(([key, expression]) => (expression === undefined ? [] : [`${objectKey(key)}: ${expression}`]));
}

/**
 * Returns a key of an object literal, with quotes if needed. `__proto__` is computed, since it would set the prototype.
 */
export function objectKey(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return isIdentifier(key) ? key : quoted(key);
}

export const isIdentifier = (text: string): boolean => /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text);

function quoted(value: string): string {
  const json = JSON.stringify(value).replace(/\u2028|\u2029/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
  return `'${json.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}
