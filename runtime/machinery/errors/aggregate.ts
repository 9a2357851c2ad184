/** As Go prints an aggregate of errors: each text once, in brackets if there are several. (utilerrors.NewAggregate) */
export function aggregate(messages: readonly string[]): string {
  const [first = '', ...others] = new Set(messages);
  return messages.length > 0 && others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
