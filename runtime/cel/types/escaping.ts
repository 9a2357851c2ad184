const reserved: ReadonlySet<string> = new Set(
  ('true false null in as break const continue else for function if import let loop package namespace return ' + 'var void while').split(
    ' ',
  ),
);

const sequences: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const unescapes: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

export const isReservedWord = (name: string): boolean => reserved.has(name);

/** Returns the name by which expressions select a property; undefined if they cannot. (apiserver pkg/cel/escaping.go) */
export function escapeProperty(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (match) => sequences[match] ?? match);
}

/** Returns the property of an escaped name; undefined if the name is invalid. */
export function unescapeProperty(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let valid = true;
  const name = escaped.replace(/__([^_]+)__/g, (match, contents: string) => {
    const unescaped = unescapes.get(contents);
    if (unescaped !== undefined) return unescaped;
    if (!reserved.has(contents) || match.length !== escaped.length) valid = false;
    return contents;
  });
  return valid ? name : undefined;
}
