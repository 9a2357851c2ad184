/** A text is not a query, or a query fails. */
export class JqError extends Error {}

/** The longest query, in characters. */
const maxLength = 8192;

const token =
  /\s+|(?:#[^\n]*)|(\.(?:[A-Za-z_]\w*|"(?:[^"\\]|\\.)*")|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|\/\/|==|!=|<=|>=|[.[\](){}|,;?<>:+*/-])/y;

/** @throws JqError */
export function tokensOf(text: string): string[] {
  if (text.length > maxLength) throw new JqError('query is too long');
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new JqError(`unexpected token ${JSON.stringify(text[at])}`);
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return tokens;
}
