/** A .proto without comments, with single blank lines: what it says is the same. Strings keep what looks like a comment. */
export function normaliseProto(text: string): string {
  const bare = text.replaceAll(tokens, (token) => (token.startsWith('/') ? '' : token));
  const lines = bare.split(/\r?\n/).map((line) => line.trimEnd());
  const kept = lines.filter(
    (line, index) => line !== '' || (index > 0 && lines[index - 1] !== '' && !opens(lines[index - 1])),
  );
  return `${kept.join('\n').trim()}\n`;
}

const tokens = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const opens = (line: string): boolean => line.endsWith('{');
