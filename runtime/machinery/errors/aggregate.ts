/** As Go prints an aggregate of errors: each text once, in brackets if there are several. (utilerrors.NewAggregate) */
export function aggregate(messages: readonly string[]): string {
  const different = [...new Set(messages)];
  return different.length === 1 ? different[0] : `[${different.join(', ')}]`;
}
