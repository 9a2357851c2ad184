const reserved: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const sequences: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const meanings: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

export const isReservedWord = (name: string): boolean => reserved.has(name);

/** The name by which expressions select a property; undefined: they cannot. (apiserver pkg/cel/escaping.go) */
export function escapeProperty(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (match) => sequences[match]);
}

/** The property an escaped name stands for; undefined: none. */
export function unescapeProperty(escaped: string): string | undefined {
  if (!escaped.includes('__')) return escaped;
  let valid = true;
  const name = escaped.replace(/__([^_]+)__/g, (match, contents: string) => {
    const meaning = meanings.get(contents);
    if (meaning !== undefined) return meaning;
    if (!reserved.has(contents) || match.length !== escaped.length) valid = false;
    return contents;
  });
  return valid ? name : undefined;
}
