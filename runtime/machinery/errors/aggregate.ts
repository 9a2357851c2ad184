/** Formats an aggregate of errors as Go does: each text once, several in brackets. (utilerrors.NewAggregate) */
export function aggregate(messages: readonly string[]): string {
  const [first = '', ...others] = new Set(messages);
  return messages.length > 0 && others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
