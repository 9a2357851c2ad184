import type { ArgumentSpace } from './argument-space.ts';

/**
 * Replaces `$(NAME)` by the value of a variable, and `$$` by a dollar. References to unknown variables stay unchanged.
 * (third_party/forked/golang/expansion)
 *
 * @param space for the text that references add
 * @throws ArgumentSpaceError
 */
export function expand(text: string, lookUp: (name: string) => string | undefined, space: ArgumentSpace): string {
  // no references follow the last parenthesis, and a pattern would search there again and again
  const end = text.lastIndexOf(')') + 1;
  const expanded = text.slice(0, end).replace(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) => {
    if (name === undefined) return '$';
    const value = lookUp(name) ?? whole;
    space.take(value);
    return value;
  });
  return expanded + text.slice(end).replaceAll('$$', '$');
}
