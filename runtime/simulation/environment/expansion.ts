/**
 * Replaces `$(NAME)` by the value of a variable, and `$$` by a dollar. References to variables that do not exist, and all else,
 * stay as they are. (third_party/forked/golang/expansion)
 */
export function expand(text: string, lookUp: (name: string) => string | undefined): string {
  // behind the last parenthesis are no references, which a pattern would look for again and again
  const end = text.lastIndexOf(')') + 1;
  const expanded = text
    .slice(0, end)
    .replace(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) =>
      name === undefined ? '$' : (lookUp(name) ?? whole),
    );
  return expanded + text.slice(end).replaceAll('$$', '$');
}
