import type { ArgumentSpace } from './argument-space.ts';

/**
 * Replaces `$(NAME)` by the value of a variable, and `$$` by a dollar. References to variables that do not exist, and all else,
 * stay as they are. (third_party/forked/golang/expansion)
 *
 * @param space for what references add
 * @throws ArgumentSpaceError
 */
export function expand(text: string, lookUp: (name: string) => string | undefined, space: ArgumentSpace): string {
  // behind the last parenthesis are no references, which a pattern would look for again and again
  const end = text.lastIndexOf(')') + 1;
  const expanded = text.slice(0, end).replace(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) => {
    if (name === undefined) return '$';
    const value = lookUp(name) ?? whole;
    space.take(value);
    return value;
  });
  return expanded + text.slice(end).replaceAll('$$', '$');
}
